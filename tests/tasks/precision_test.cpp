#include <algorithm>
#include <utility>

#include "arithmetic.hpp"
#include "entries.hpp"
#include "tensor/comparison.hpp"
#include "tensor/generator.hpp"
#include "tensor/reference.hpp"
#include "tensor/rms_excess.hpp"
#include "tensor/yardstick.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

Draw drawn(const Workload& workload, std::uint64_t seed) {
  Tensors tensors = make_tensors(workload, seed);
  std::vector<at::Tensor> references = reference(workload, tensors);
  return {std::move(tensors), std::move(references)};
}

std::vector<PrecisionLimits> limits_of(const Workload& workload) {
  return measure_limits(workload, std::nullopt,
                        [&](std::uint64_t seed) { return drawn(workload, seed); });
}

// What is wrong with the arithmetic on a config, in `calls` calls or more where outputs are small.
std::string complaint(const Workload& workload, const Arithmetic& arithmetic,
                      std::uint64_t calls = default_seeds, std::int64_t least_elements = 0) {
  const std::vector<Output>& outputs = workload.contract().outputs;
  const std::vector<PrecisionLimits> limits = limits_of(workload);
  std::vector<SquaredErrors> pool(outputs.size());
  std::string text;
  const auto enough = [&](std::uint64_t seed) {
    return seed > calls && std::any_of(pool.begin(), pool.end(), [&](const auto& squares) {
             return squares.elements >= least_elements;
           });
  };
  for (std::uint64_t seed = 1; text.empty() && !enough(seed); ++seed) {
    const Draw draw = drawn(workload, seed);
    const std::vector<at::Tensor> actual = arithmetic.compute(workload, draw.tensors);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const Comparison found = compare(outputs[i], limits[i], actual[i], draw.references[i]);
      pool[i] += found.squares;
      text += found.message;
      text += rms_excess(outputs[i].name, limits[i].rms.value(), pool[i]);
    }
  }
  return text;
}

class PrecisionOf : public testing::TestWithParam<TaskEntry> {
 protected:
  // On how many configs the arithmetic is rejected.
  [[nodiscard]] static std::size_t rejections(const Arithmetic& arithmetic) {
    const auto& [task, direction] = GetParam();
    const std::vector<Config> configs = GetParam().configs(ConfigSet::small);
    return static_cast<std::size_t>(
        std::count_if(configs.begin(), configs.end(), [&](const Config& config) {
          return !complaint({task, direction, config.params}, arithmetic).empty();
        }));
  }

  // The arithmetic passes on every config. Small outputs are gathered on the first, the smallest.
  static void expect_right(const Arithmetic& arithmetic) {
    const auto& [task, direction] = GetParam();
    std::int64_t least_elements = min_judged_elements;
    for (const Config& config : GetParam().configs(ConfigSet::small)) {
      EXPECT_EQ(complaint({task, direction, config.params}, arithmetic, default_seeds,
                          std::exchange(least_elements, 0)),
                "")
          << config.name;
    }
  }
};

// A limit that torch itself barely holds would reject honest kernels that sum in another order.
TEST_P(PrecisionOf, LeavesTorchTwiceTheRoomThatItNeeds) {
  const auto& [task, direction] = GetParam();
  const std::vector<Output>& outputs = contract(task, direction).outputs;
  for (const Config& config : GetParam().configs(ConfigSet::small)) {
    const Workload workload{task, direction, config.params};
    const std::vector<PrecisionLimits> limits = limits_of(workload);
    for (std::uint64_t seed = 1; seed <= default_seeds; ++seed) {
      const Draw draw = drawn(workload, seed);
      const auto actual = eager(workload, draw.tensors);
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        const PrecisionLimits halved = limits[i].times(0.5);
        const Comparison result = compare(outputs[i], halved, actual[i], draw.references[i]);
        EXPECT_TRUE(result.equal) << config.name << " seed " << seed << "\n" << result.message;
        EXPECT_EQ(rms_excess(outputs[i].name, halved.rms.value(), result.squares), "");
      }
    }
  }
}

TEST_P(PrecisionOf, HoldsPlainLoops) {
  if (!has_plain_loop(GetParam().name())) GTEST_SKIP() << "no plain loop of it is written here";
  expect_right(in_plain_loops());
}

TEST_P(PrecisionOf, HoldsThreePartsOfBfloat16) {
  const bool is_linear = GetParam().name() == "mnist_linear.forward";
  if (!is_linear && GetParam().name() != "unet_linear.forward") GTEST_SKIP() << "is not linear";
  expect_right(in_three_parts());
}

// A few numbers may be right all the same in five calls, and so may a mean of many.
TEST_P(PrecisionOf, RejectsFewerBits) {
  const std::size_t configs = GetParam().configs(ConfigSet::small).size();
  for (const Arithmetic& arithmetic : {in_bfloat16(), in_float16(), in_tf32()}) {
    EXPECT_GT(3 * rejections(arithmetic), configs) << arithmetic.name;
  }
}

// Whatever the length of its sums, and however small its outputs.
TEST_P(PrecisionOf, RejectsTwoPartsOfBfloat16OnEveryConfigOfAProduct) {
  const std::vector<std::string> without_product{"layernorm", "llama_rmsnorm",
                                                 "mnist_cross_entropy", "mnist_pool"};
  const auto& [task, direction] = GetParam();
  if (std::count(without_product.begin(), without_product.end(), task.name) > 0) {
    GTEST_SKIP() << "is not a product";
  }
  for (const Config& config : GetParam().configs(ConfigSet::small)) {
    EXPECT_NE(complaint({task, direction, config.params}, in_two_parts(), default_seeds,
                        min_judged_elements),
              "")
        << config.name;
  }
}

// Most of a gradient must survive the mask that keeps it away from kinks.
TEST_P(PrecisionOf, HoldsBackFewGradients) {
  const auto& [task, direction] = GetParam();
  if (direction == Direction::forward || !task.near_kink) GTEST_SKIP() << "has no kink";
  for (const Config& config : GetParam().configs(ConfigSet::small)) {
    const at::Tensor grad = make_tensors({task, direction, config.params}, 1)["grad_output"];
    const auto zeros = grad.eq(0).sum().item<std::int64_t>();
    EXPECT_LE(zeros, 1 + grad.numel() / 1000) << config.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, PrecisionOf, testing::ValuesIn(task_entries()),
                         [](const auto& info) {
                           return info.param.task.name + "_" +
                                  std::string(to_string(info.param.direction));
                         });

const TaskEntry& entry(const std::string& name) {
  static const std::vector<TaskEntry> entries = task_entries();
  return *std::find_if(entries.begin(), entries.end(),
                       [&](const TaskEntry& known) { return known.name() == name; });
}

// Longer sums than those of the configs above, whose error in float32 is largest.
TEST(LongSums, RejectTwoPartsOfBfloat16AndHoldPlainLoops) {
  Params linear = entry("mnist_linear.forward").task.defaults;
  linear.set("batch_size", std::int64_t{64});
  linear.set("num_output_features", std::int64_t{64});
  const Workload product{entry("mnist_linear.forward").task, Direction::forward, linear};
  EXPECT_NE(complaint(product, in_two_parts(), 1), "");
  EXPECT_EQ(complaint(product, in_plain_loops(), 1), "");
  Params block = entry("llama_ffw.forward").task.defaults;
  for (const auto& [name, size] :
       {std::pair{"batch_size", 1}, std::pair{"num_tokens", 32}, std::pair{"num_features", 256},
        std::pair{"up_features", 8192}}) {
    block.set(name, std::int64_t{size});
  }
  EXPECT_NE(
      complaint({entry("llama_ffw.forward").task, Direction::forward, block}, in_two_parts(), 1),
      "");
}

// Numbers around 100 of standard deviation 1, in rows of 4096.
class LayerNormAround100 : public testing::Test {
 protected:
  [[nodiscard]] Draw draw(std::uint64_t seed) const {
    Tensors tensors = make_tensors(m_workload, seed);
    tensors.set("x", tensors["x"].add(100));
    std::vector<at::Tensor> references = reference(m_workload, tensors);
    return {std::move(tensors), std::move(references)};
  }

  [[nodiscard]] std::string complaint(const Computed& compute) const {
    const PrecisionLimits limits =
        measure_limits(m_workload, Probe::inputs_around_100, [&](std::uint64_t seed) {
          return draw(seed);
        }).at(0);
    const Draw own = draw(7);
    const Comparison found =
        compare({"y"}, limits, compute(m_workload, own.tensors).at(0), own.references[0]);
    return found.message + rms_excess("y", limits.rms.value(), found.squares);
  }

  const TaskEntry& m_entry = entry("layernorm.forward");
  const Workload m_workload{m_entry.task, Direction::forward,
                            m_entry.configs(ConfigSet::small).at(3).params};
};

TEST_F(LayerNormAround100, HoldsAPlainLoopInTwoPasses) {
  EXPECT_EQ(complaint(in_plain_loops().compute), "");
}

// E[x^2] - E[x]^2 errs by 1e-3, however exactly the sums are made.
TEST_F(LayerNormAround100, RejectsTheDifferenceOfMeanSquares) {
  EXPECT_NE(complaint([](const Workload& workload, const Tensors& tensors) {
              const at::Tensor& x = tensors["x"];
              const at::Tensor rows = x.view({x.size(0), -1}).to(at::kDouble);
              const at::Tensor mean = rows.mean({1}, /*keepdim=*/true).to(at::kFloat);
              const at::Tensor mean_square = rows.pow(2).mean({1}, true).to(at::kFloat);
              const at::Tensor variance = mean_square.sub(mean.pow(2));
              const at::Tensor scale = variance.add(workload.params.real("eps")).rsqrt();
              const at::Tensor normal = rows.to(at::kFloat).sub(mean).mul(scale).view(x.sizes());
              return std::vector<at::Tensor>{normal.mul(tensors["weight"]).add(tensors["bias"])};
            }),
            "");
}

}  // namespace
}  // namespace robust_kbench
