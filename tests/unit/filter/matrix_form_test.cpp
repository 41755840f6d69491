#include "filter/matrix_form.hpp"

#include <ATen/ops/eye.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tril.h>
#include <ATen/ops/triu.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(MatrixForm, IsWhereAMatrixIsNotZero) {
  const at::Tensor ones = at::ones({3, 3});
  EXPECT_EQ(form_of(ones), MatrixForm::dense);
  EXPECT_EQ(form_of(at::tril(ones)), MatrixForm::lower);
  EXPECT_EQ(form_of(at::triu(ones)), MatrixForm::upper);
  EXPECT_EQ(form_of(at::eye(3)), MatrixForm::diagonal);
}

TEST(MatrixForm, IsDenseIfNotSquareAndDiagonalOfOneElement) {
  EXPECT_EQ(form_of(at::ones({1, 1})), MatrixForm::diagonal);
  EXPECT_EQ(form_of(at::tril(at::ones({2, 3}))), MatrixForm::dense);
  EXPECT_EQ(form_of(at::ones({3})), MatrixForm::dense);
}

TEST(MatrixForm, OfABatchIsThatOfEachMatrix) {
  at::Tensor batch = at::tril(at::ones({2, 3, 3}));
  EXPECT_EQ(form_of(batch), MatrixForm::lower);
  batch[1][0][2] = 1;
  EXPECT_EQ(form_of(batch), MatrixForm::dense);
}

TEST(MatrixForm, InSeveralCallsCoversAll) {
  EXPECT_EQ(common(MatrixForm::lower, MatrixForm::diagonal), MatrixForm::lower);
  EXPECT_EQ(common(MatrixForm::diagonal, MatrixForm::upper), MatrixForm::upper);
  EXPECT_EQ(common(MatrixForm::lower, MatrixForm::upper), MatrixForm::dense);
  EXPECT_EQ(common(MatrixForm::diagonal, MatrixForm::diagonal), MatrixForm::diagonal);
}

}  // namespace
}  // namespace robust_kbench
