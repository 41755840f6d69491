#include "tensor/probe_tolerance.hpp"

#include <cmath>

#include "tensor/comparison.hpp"
#include "tensor/root_mean_square.hpp"

#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(RootMeanSquare, IsOfTheFiniteElements) {
  EXPECT_DOUBLE_EQ(root_mean_square(at::tensor(std::vector<double>{3, -5, NAN, INFINITY})),
                   std::sqrt(17.0));
  EXPECT_EQ(root_mean_square(at::tensor(std::vector<double>{NAN})), 0.0);
}

TEST(ProbeContract, ScalesTheAbsoluteToleranceByTheMagnitudeOfTheOutput) {
  const Contract contract{.outputs = {{.name = "y"},
                                      {.name = "w", .tolerance = Tolerance{.atol = 3e-5}},
                                      {.name = "indices", .dtype = at::kLong}}};
  const Contract probed =
      probe_contract(contract, Probe::ties,
                     {at::full({4}, -1e3, at::kDouble), at::full({4}, 1e-2, at::kDouble),
                      at::full({4}, 7, at::kLong)});
  EXPECT_DOUBLE_EQ(tolerance_of(probed.outputs[0]).atol, 1e-2);
  EXPECT_DOUBLE_EQ(tolerance_of(probed.outputs[0]).rtol, 1e-5);
  EXPECT_DOUBLE_EQ(tolerance_of(probed.outputs[1]).atol, 3e-7);
  EXPECT_EQ(tolerance_of(probed.outputs[2]).atol, 0.0);
}

}  // namespace
}  // namespace robust_kbench
