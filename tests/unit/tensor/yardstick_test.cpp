#include "tensor/yardstick.hpp"

#include <cmath>
#include <vector>

#include "core/error.hpp"
#include "tensor/generator.hpp"
#include "tensor/reference.hpp"
#include "tensor/root_mean_square.hpp"
#include <robust_kbench/kink.hpp>

#include <ATen/ops/linear.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::int64_t terms = 4096;

// max(x w^T, 0) of normal numbers.
Task product(std::vector<std::int64_t> sums = {terms}) {
  Task task;
  task.name = "product";
  task.weights = [](const Params&) {
    return std::vector<TensorSpec>{{.name = "w", .shape = {48, terms}}};
  };
  task.inputs = [](const Params&) {
    return std::vector<TensorSpec>{{.name = "x", .shape = {64, terms}}};
  };
  task.forward = [](const Tensors& tensors, const Params&) {
    return at::linear(tensors["x"], tensors["w"]).relu();
  };
  task.near_kink = [](const Tensors& tensors, const Params&) {
    return near_zero(at::linear(tensors["x"], tensors["w"]));
  };
  task.forward_contract.outputs = {{"y"}};
  task.backward_contract = Contract{.outputs = {{"x"}, {"w"}}};
  if (!sums.empty()) {
    task.forward_contract.longest_sums = [=](const Params&) { return sums; };
    task.backward_contract->longest_sums = [](const Params&) {
      return std::vector<std::int64_t>{48, 64};
    };
  }
  return task;
}

Draw drawn(const Workload& workload, std::uint64_t seed) {
  Tensors tensors = make_tensors(workload, seed);
  std::vector<at::Tensor> references = reference(workload, tensors);
  return {std::move(tensors), std::move(references)};
}

std::vector<PrecisionLimits> measured(const Task& task, Direction direction = Direction::forward,
                                      std::optional<Probe> probe = std::nullopt) {
  const Workload workload{task, direction, {}};
  return measure_limits(workload, probe, [&](std::uint64_t seed) { return drawn(workload, seed); });
}

// 1.15e-6 is the error of plain loops over 4096 products, by which the model was measured.
TEST(Yardstick, IsThatOfAPlainLoop) {
  const RmsLimit rms = measured(product()).at(0).rms.value();
  EXPECT_NEAR(rms.float32 / rms.output, 1.15e-6, 0.05e-6);
  EXPECT_DOUBLE_EQ(rms.most, 2.5 * rms.float32);
  EXPECT_EQ(rms.terms, terms);
}

TEST(Yardstick, GrowsWithTheRootOfTheTerms) {
  EXPECT_NEAR(relative_error_of_sum(4096), 1.14e-6, 1e-8);
  EXPECT_DOUBLE_EQ(relative_error_of_sum(64), relative_error_of_sum(4096) / 8);
  // There are 1024 parts of 4096 terms, then the sum of the parts.
  EXPECT_DOUBLE_EQ(relative_error_of_sum(4096 * 1024),
                   relative_error_of_sum(4096) * std::sqrt(1.25));
}

// The model was measured on sums of equal numbers in a plain loop. Torch adds them in parts, and
// errs by a tenth of that.
TEST(Yardstick, OnEqualRowsIsThatOfAPlainLoopOverEqualTerms) {
  constexpr std::int64_t rows = 257;
  Task task = product({rows});
  task.weights = [](const Params&) { return std::vector<TensorSpec>{}; };
  task.inputs = [](const Params&) {
    return std::vector<TensorSpec>{{.name = "x", .shape = {rows, 8192}}};
  };
  task.forward = [](const Tensors& tensors, const Params&) { return tensors["x"].sum(0); };
  const Workload workload{task, Direction::forward, {}};
  const auto repeated = [&](std::uint64_t seed) {
    Draw draw = drawn(workload, seed);
    draw.tensors.set("x", draw.tensors["x"].narrow(0, 0, 1).expand({rows, -1}).contiguous());
    draw.references = reference(workload, draw.tensors);
    return draw;
  };
  const Draw draw = repeated(1);
  at::Tensor sum = draw.tensors["x"][0];
  for (std::int64_t row = 1; row < rows; ++row) sum = sum.add(draw.tensors["x"][row]);
  const double error = root_mean_square(sum.to(at::kDouble).sub(draw.references[0]));
  const RmsLimit rms = measure_limits(workload, Probe::repeated_row, repeated).at(0).rms.value();
  EXPECT_NEAR(rms.float32 / error, 1, 0.1);
  EXPECT_DOUBLE_EQ(rms.float32 / rms.output, relative_error_of_equal_terms(rows));
  const RmsLimit typical = measure_limits(workload, std::nullopt, repeated).at(0).rms.value();
  EXPECT_LT(typical.most, error) << "other content is held to the model of random signs";
  EXPECT_DOUBLE_EQ(relative_error_of_equal_terms(4096), relative_error_of_equal_terms(512));
}

TEST(Yardstick, OnEqualRowsIsTheUsualOneWhereNoRowsAreAdded) {
  const Task task = product();
  const Workload workload{task, Direction::forward, {}};
  const auto repeated = [&](std::uint64_t seed) {
    Draw draw = drawn(workload, seed);
    draw.tensors.set("x", draw.tensors["x"].narrow(0, 0, 1).expand({64, -1}).contiguous());
    draw.references = reference(workload, draw.tensors);
    return draw;
  };
  const RmsLimit rms = measure_limits(workload, Probe::repeated_row, repeated).at(0).rms.value();
  EXPECT_NEAR(rms.float32 / rms.output, relative_error_of_sum(terms), 0.05e-6);
}

TEST(Yardstick, AllowsAFewRoundingsWhateverTheSum) {
  const RmsLimit rms = measured(product({1})).at(0).rms.value();
  EXPECT_GE(rms.most, 5e-7 * rms.output);
  EXPECT_LT(rms.most, 1.5e-6 * rms.output);
}

// Elements of about 64 err by up to 4 times 1.1e-6 of that. The paper's 1e-5 would be too little.
TEST(Yardstick, AllowsFourTimesTheGreatestError) {
  const PrecisionLimits limits = measured(product()).at(0);
  EXPECT_GT(limits.atol, 4 * 2.5 * limits.rms->float32);
  EXPECT_LT(limits.atol, 4 * 6 * limits.rms->float32);
  EXPECT_EQ(limits.rtol, 1e-5);
}

TEST(Yardstick, IsTheLargestOfThreeDraws) {
  const Task task = product();
  const Workload workload{task, Direction::forward, {}};
  std::vector<std::uint64_t> seeds;
  const auto limits = measure_limits(workload, std::nullopt, [&](std::uint64_t seed) {
    seeds.push_back(seed);
    Draw draw = drawn(workload, seed);
    if (seed != 2) return draw;
    draw.tensors.set("x", draw.tensors["x"].mul(8));
    draw.references = reference(workload, draw.tensors);
    return draw;
  });
  EXPECT_THAT(seeds, ElementsAre(1, 2, 3));
  EXPECT_NEAR(limits.at(0).rms->float32 / measured(task).at(0).rms->float32, 8, 0.4);
}

// A sum that ReLU decides on the other side would be off by the whole gradient, not by 1e-6 of it.
TEST(Yardstick, HoldsDecisionsWhereInputsMove) {
  for (const PrecisionLimits& limits : measured(product(), Direction::backward)) {
    EXPECT_LT(limits.rms->float32, 1e-6 * limits.rms->output);
  }
}

// x - 100 of numbers near 100: an ulp of the input is 7.6e-6.
TEST(Yardstick, CountsTheErrorOfInputsAnUlpOff) {
  Task task = product({1});
  task.inputs = [](const Params&) {
    return std::vector<TensorSpec>{
        {.name = "x", .shape = {64, 64}, .distribution = normal(100, 1)}};
  };
  task.weights = [](const Params&) { return std::vector<TensorSpec>{}; };
  task.forward = [](const Tensors& tensors, const Params&) { return tensors["x"].sub(100); };
  EXPECT_NEAR(measured(task).at(0).rms->float32, 7.6e-6, 1e-7);
  EXPECT_LT(measured(task, Direction::forward, Probe::ties).at(0).rms->float32, 1e-7);
  // A sum of 4096 such numbers in a plain loop would err by 1e-6 of 100, and not of 1.
  task.forward_contract.longest_sums = [](const Params&) {
    return std::vector<std::int64_t>{4096};
  };
  EXPECT_GT(measured(task).at(0).rms->float32, 5e-5);
}

// exp(100) fits in float64 but not in float32. Its infinite error is no limit for other elements.
TEST(Yardstick, LeavesOutWhatFloat32DoesNotHold) {
  Task task = product({1});
  task.weights = [](const Params&) { return std::vector<TensorSpec>{}; };
  task.inputs = [](const Params&) {
    return std::vector<TensorSpec>{
        {.name = "x", .shape = {64, 64}, .distribution = uniform(0, 100)}};
  };
  task.forward = [](const Tensors& tensors, const Params&) {
    return tensors["x"].exp().mul(1e-30);
  };
  const PrecisionLimits limits = measured(task).at(0);
  EXPECT_LT(limits.atol, 1e9);
  EXPECT_LT(limits.rms->most, 1e9);
}

// Moved inputs may leave the range of a function, where the reference is finite.
TEST(Yardstick, LeavesOutWhereMovedInputsHaveNoResult) {
  Task task = product({1});
  task.weights = [](const Params&) { return std::vector<TensorSpec>{}; };
  task.inputs = [](const Params&) {
    return std::vector<TensorSpec>{{.name = "x", .shape = {64, 64}, .distribution = constant(1)}};
  };
  task.forward = [](const Tensors& tensors, const Params&) {
    return tensors["x"].mul(-1).add(1).sqrt();
  };
  EXPECT_LT(measured(task).at(0).atol, 1e-2);
}

TEST(Yardstick, LowersThePapersToleranceOnProbesOfSmallOutputs) {
  Task task = product({1});
  task.weights = [](const Params&) { return std::vector<TensorSpec>{}; };
  task.forward = [](const Tensors& tensors, const Params&) { return tensors["x"].mul(1e-3); };
  EXPECT_EQ(measured(task).at(0).atol, 1e-5);
  const PrecisionLimits small =
      measured(task, Direction::forward, Probe::inputs_divided_by_1000).at(0);
  EXPECT_NEAR(small.atol, 1e-8, 1e-9);
  task.forward = [](const Tensors& tensors, const Params&) { return tensors["x"].mul(8); };
  EXPECT_EQ(measured(task, Direction::forward, Probe::inputs_times_1000).at(0).atol, 1e-5);
}

TEST(Yardstick, LeavesATaskThatDeclaresNothingItsTolerance) {
  Task task = product({});
  task.forward_contract.outputs[0].tolerance = Tolerance{.atol = 0.5, .rtol = 0.25};
  const Workload workload{task, Direction::forward, {}};
  const auto limits = measure_limits(workload, std::nullopt, [](std::uint64_t) -> Draw {
    ADD_FAILURE() << "nothing is to be measured";
    return {};
  });
  EXPECT_EQ(limits.at(0).atol, 0.5);
  EXPECT_EQ(limits.at(0).rtol, 0.25);
  EXPECT_FALSE(limits.at(0).rms);
}

// The same product of 16-bit tensors.
Task product_of(at::ScalarType dtype) {
  Task task = product();
  const auto as_narrow = [dtype](const auto& specs) {
    return [specs, dtype](const Params& params) {
      std::vector<TensorSpec> narrow = specs(params);
      for (TensorSpec& spec : narrow) spec.dtype = dtype;
      return narrow;
    };
  };
  task.weights = as_narrow(task.weights);
  task.inputs = as_narrow(task.inputs);
  task.forward_contract.outputs = {{.name = "y", .dtype = dtype}};
  return task;
}

// The root mean square error, relative to the output, if partial sums of `terms_at_a_time` terms
// are rounded to `summed`.
double error_of(const Task& task, at::ScalarType summed, std::int64_t terms_at_a_time) {
  const Workload workload{task, Direction::forward, {}};
  const Draw draw = drawn(workload, 7);
  at::Tensor sum = at::zeros({64, 48}, summed);
  for (std::int64_t from = 0; from < terms; from += terms_at_a_time) {
    const auto part = [&](const char* name) {
      return draw.tensors[name].to(at::kFloat).narrow(1, from, terms_at_a_time);
    };
    sum = sum.add(at::linear(part("x"), part("w")).to(summed));
  }
  const at::Tensor y = sum.relu().to(task.forward_contract.outputs[0].dtype).to(at::kDouble);
  return root_mean_square(y.sub(draw.references[0])) / root_mean_square(draw.references[0]);
}

TEST(Yardstick, Of16BitsLetsSumsInFloat32PassAndSumsIn16BitsFail) {
  for (const at::ScalarType dtype : {at::kHalf, at::kBFloat16}) {
    const Task task = product_of(dtype);
    const RmsLimit rms = measured(task).at(0).rms.value();
    EXPECT_LT(error_of(task, at::kFloat, 64), rms.most / rms.output) << dtype;
    EXPECT_GT(error_of(task, dtype, 64), rms.most / rms.output) << dtype;
  }
}

TEST(Yardstick, LeavesIntegersAndFloat64TheirTolerance) {
  Task task = product_of(at::kDouble);
  EXPECT_FALSE(measured(task).at(0).rms);
  EXPECT_EQ(measured(task).at(0).rtol, 1e-7);
}

TEST(Yardstick, LeavesOtherDtypesTheirTolerance) {
  Task task = product({1, 1});
  task.forward_contract.outputs = {{.name = "y"}, {.name = "sign", .dtype = at::kBool}};
  task.forward = [](const Tensors& tensors, const Params&) {
    return OutputTensors(std::vector<at::Tensor>{tensors["x"], tensors["x"].gt(0)});
  };
  const auto limits = measured(task);
  EXPECT_TRUE(limits.at(0).rms);
  EXPECT_FALSE(limits.at(1).rms);
  EXPECT_EQ(limits.at(1).atol, 0);
}

TEST(Yardstick, WantsASumForEachOutput) {
  for (const std::vector<std::int64_t>& sums : {std::vector<std::int64_t>{1, 2}, {0}}) {
    try {
      measured(product(sums));
      ADD_FAILURE();
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(), HasSubstr("task 'product': longest_sums of forward must give"));
    }
  }
}

}  // namespace
}  // namespace robust_kbench
