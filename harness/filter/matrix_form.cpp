#include "filter/matrix_form.hpp"

#include <ATen/ops/tril.h>
#include <ATen/ops/triu.h>

namespace robust_kbench {

MatrixForm form_of(const at::Tensor& matrix) {
  if (matrix.dim() < 2 || matrix.size(-1) != matrix.size(-2)) return MatrixForm::dense;
  const bool no_upper = !at::triu(matrix, 1).any().item<bool>();
  const bool no_lower = !at::tril(matrix, -1).any().item<bool>();
  if (no_upper && no_lower) return MatrixForm::diagonal;
  if (no_upper) return MatrixForm::lower;
  return no_lower ? MatrixForm::upper : MatrixForm::dense;
}

MatrixForm common(MatrixForm a, MatrixForm b) {
  if (a == b || b == MatrixForm::diagonal) return a;
  return a == MatrixForm::diagonal ? b : MatrixForm::dense;
}

MatrixForm transposed(MatrixForm form) {
  if (form == MatrixForm::lower) return MatrixForm::upper;
  return form == MatrixForm::upper ? MatrixForm::lower : form;
}

bool is_triangular(MatrixForm form) {
  return form == MatrixForm::lower || form == MatrixForm::upper;
}

}  // namespace robust_kbench
