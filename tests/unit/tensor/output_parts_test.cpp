#include "tensor/output_parts.hpp"

#include "tensor/comparison.hpp"
#include "tensor/probe.hpp"
#include "tensor/reference.hpp"
#include "tensor/yardstick.hpp"

#include <ATen/ops/conv2d.h>
#include <ATen/ops/linear.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// x W^T of 24 rows, forward and backward.
Task rows_times_weights() {
  Task task;
  task.name = "rows_times_weights";
  task.weights = [](const Params&) { return std::vector<TensorSpec>{{"w", {16, 32}, normal()}}; };
  task.inputs = [](const Params&) { return std::vector<TensorSpec>{{"x", {24, 32}, normal()}}; };
  task.forward = [](const Tensors& tensors, const Params&) {
    return at::linear(tensors["x"], tensors["w"]);
  };
  task.forward_contract.outputs = {{.name = "y"}};
  task.forward_contract.longest_sums = [](const Params&) { return std::vector<std::int64_t>{32}; };
  task.backward_contract = Contract{.outputs = {{.name = "x"}, {.name = "w"}}};
  return task;
}

struct Divided {
  Tensors tensors;
  std::vector<at::Tensor> references;
  OutputParts parts;
};

Divided divided(const Workload& workload, Probe probe, std::uint64_t seed) {
  Divided made{.tensors = probe_tensors(workload, probe, seed)};
  made.references = reference(workload, made.tensors);
  made.parts = output_parts(workload, probe, seed, made.tensors, made.references);
  return made;
}

std::vector<PrecisionLimits> limits_of(const Workload& workload, Probe probe) {
  return measure_limits(workload, probe, [&](std::uint64_t seed) {
    Divided made = divided(workload, probe, 2 * seed + 1);
    return Draw{made.tensors, made.references, made.parts};
  });
}

std::int64_t rows_in(const at::Tensor& mask) {
  return mask.any(1).sum().item<std::int64_t>();
}

TEST(OutputParts, AreWhatAnOutlierChangesAndTheRest) {
  const Task task = rows_times_weights();
  const Divided made = divided({task, Direction::forward, {}}, Probe::outlier, 1);
  ASSERT_THAT(made.parts, SizeIs(1));
  ASSERT_THAT(made.parts[0], SizeIs(2));
  const at::Tensor& changed = made.parts[0][1].mask;
  EXPECT_EQ(rows_in(changed), 2);  // the first and the last
  EXPECT_TRUE(changed.select(0, 0).all().item<bool>());
  EXPECT_TRUE(changed.select(0, 23).all().item<bool>());
  EXPECT_TRUE(made.parts[0][0].mask.eq(changed.logical_not()).all().item<bool>());
}

TEST(OutputParts, AreWhatOutliersOfGradientsChangeToo) {
  const Task task = rows_times_weights();
  const Divided made = divided({task, Direction::backward, {}}, Probe::outlier, 1);
  ASSERT_THAT(made.parts, SizeIs(2));
  EXPECT_EQ(rows_in(made.parts[0][1].mask), 2);
  EXPECT_GT(made.parts[1][0].mask.sum().item<std::int64_t>(), 0);
}

// A convolution in tiles mixes neighbours.
TEST(OutputParts, CountNeighboursOfAChangedPixelAsChanged) {
  Task task;
  task.name = "blur";
  task.weights = [](const Params&) { return std::vector<TensorSpec>{{"w", {1, 1, 1, 1}}}; };
  task.inputs = [](const Params&) { return std::vector<TensorSpec>{{"x", {1, 1, 20, 20}}}; };
  task.forward = [](const Tensors& tensors, const Params&) {
    return at::conv2d(tensors["x"], tensors["w"]);
  };
  task.forward_contract.outputs = {{.name = "y"}};
  const at::Tensor changed =
      divided({task, Direction::forward, {}}, Probe::outlier, 1).parts[0][1].mask[0][0];
  EXPECT_EQ(changed.sum().item<std::int64_t>(), 2 * 4 * 4);
  EXPECT_TRUE(changed[3][3].item<bool>());
  EXPECT_FALSE(changed[4][3].item<bool>());
}

TEST(OutputParts, AreRowsOfEachMagnitude) {
  const Task task = rows_times_weights();
  const Divided made = divided({task, Direction::forward, {}}, Probe::mixed_rows, 1);
  ASSERT_THAT(made.parts[0], SizeIs(3));
  std::int64_t rows = 0;
  for (const OutputPart& part : made.parts[0]) {
    EXPECT_GT(rows_in(part.mask), 0);
    rows += rows_in(part.mask);
  }
  EXPECT_EQ(rows, 24);
}

TEST(OutputParts, AreNoneOfSumsOverRowsAndOfOtherProbes) {
  const Task task = rows_times_weights();
  const Divided sums = divided({task, Direction::backward, {}}, Probe::mixed_rows, 1);
  EXPECT_THAT(sums.parts[1], IsEmpty());
  const Divided typical = divided({task, Direction::forward, {}}, Probe::inputs_times_1000, 1);
  EXPECT_THAT(typical.parts, IsEmpty());
}

TEST(OutputParts, HoldSmallRowsToLimitsOfTheirOwn) {
  const Task task = rows_times_weights();
  const Workload workload{task, Direction::forward, {}};
  const PrecisionLimits limits = limits_of(workload, Probe::mixed_rows).at(0);
  ASSERT_THAT(limits.parts, SizeIs(3));
  EXPECT_LT(1e5 * limits.parts[0].atol, limits.parts[2].atol);

  const Divided made = divided(workload, Probe::mixed_rows, 1);
  const at::Tensor off =
      made.references[0].add(made.parts[0][0].mask.to(at::kDouble).mul(1e-4)).to(at::kFloat);
  const Output y{"y"};
  EXPECT_TRUE(compare(y, limits, off, made.references[0]).equal);
  const Comparison by_parts = compare(y, limits, off, made.references[0], made.parts[0]);
  EXPECT_FALSE(by_parts.equal);
  EXPECT_THAT(by_parts.message, HasSubstr("rows of 0.001 times the usual size"));
  EXPECT_THAT(by_parts.parts, SizeIs(3));
}

TEST(OutputParts, HoldWhatNoOutlierChangesToUsualLimits) {
  const Task task = rows_times_weights();
  const Workload workload{task, Direction::forward, {}};
  const PrecisionLimits limits = limits_of(workload, Probe::outlier).at(0);
  const Divided made = divided(workload, Probe::outlier, 2);
  const at::Tensor off = made.references[0].add(1e-3).to(at::kFloat);
  EXPECT_TRUE(compare({"y"}, limits, off, made.references[0]).equal);
  EXPECT_FALSE(compare({"y"}, limits, off, made.references[0], made.parts[0]).equal);
}

}  // namespace
}  // namespace robust_kbench
