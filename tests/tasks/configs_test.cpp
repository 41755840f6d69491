#include <algorithm>
#include <set>

#include "entries.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::UnorderedElementsAre;

TEST(Tasks, AreAllOfRobustKbench) {
  std::vector<std::string> names;
  for (const TaskEntry& entry : task_entries()) names.push_back(entry.name());
  EXPECT_THAT(
      names,
      UnorderedElementsAre(
          "layernorm.forward", "layernorm.backward", "llama_ffw.forward", "llama_rmsnorm.forward",
          "llama_rmsnorm.backward", "mnist_conv_relu_pool.forward", "mnist_conv_relu_pool.backward",
          "mnist_cross_entropy.forward", "mnist_cross_entropy.backward", "mnist_linear.forward",
          "mnist_linear.backward", "mnist_linear_relu.forward", "mnist_linear_relu.backward",
          "mnist_pool.forward", "mnist_pool.backward", "resnet_block.forward",
          "unet_conv2d.forward", "unet_linear.forward", "unet_linear.backward"));
}

TEST(Configs, MakeAtLeastSevenHundredSmallCases) {
  std::size_t cases = 0;
  for (const TaskEntry& entry : task_entries()) {
    cases += entry.configs(ConfigSet::small).size() * default_seeds;
  }
  EXPECT_GE(cases, 700);
}

class ConfigsOf : public testing::TestWithParam<TaskEntry> {};

TEST_P(ConfigsOf, ExpandInEverySet) {
  EXPECT_GE(GetParam().configs(ConfigSet::single).size(), 1);
  EXPECT_GE(GetParam().configs(ConfigSet::multi).size(), 2);
  EXPECT_GE(GetParam().configs(ConfigSet::small).size(), 8);
}

// robust-kbench repeats points for some tasks; those run once.
TEST_P(ConfigsOf, NamesAreUnique) {
  std::set<std::string> names;
  for (const ConfigSet set : {ConfigSet::single, ConfigSet::multi, ConfigSet::small}) {
    for (const Config& config : GetParam().configs(set)) {
      EXPECT_TRUE(names.insert(config.name).second) << config.name;
    }
  }
}

TEST_P(ConfigsOf, KeepTheEdgesOfTheBigOnes) {
  std::int64_t min_batch = 1000;
  std::int64_t greatest_batch = 0;
  bool odd = false;
  for (const Config& config : GetParam().configs(ConfigSet::small)) {
    const std::int64_t batch = config.params.integer("batch_size");
    min_batch = std::min(min_batch, batch);
    greatest_batch = std::max(greatest_batch, batch);
    for (const auto& [key, value] : config.params.values()) {
      const auto* size = std::get_if<std::int64_t>(&value);
      odd = odd || (size != nullptr && *size > 16 && *size % 2 == 1);
    }
  }
  EXPECT_EQ(min_batch, 1);
  EXPECT_GT(greatest_batch, 1);
  EXPECT_TRUE(odd) << "no size past 16 is odd";
}

TEST_P(ConfigsOf, UseEveryInitialization) {
  const Params& defaults = GetParam().task.defaults;
  if (!defaults.contains("init_method")) GTEST_SKIP() << "has one initialization";
  std::set<std::string> methods;
  for (const Config& config : GetParam().configs(ConfigSet::small)) {
    methods.insert(config.params.text("init_method"));
  }
  EXPECT_EQ(methods.size(), methods.contains("kaiming") ? 3 : 2);
}

INSTANTIATE_TEST_SUITE_P(Registry, ConfigsOf, testing::ValuesIn(task_entries()),
                         [](const auto& info) {
                           return info.param.task.name + "_" +
                                  std::string(to_string(info.param.direction));
                         });

}  // namespace
}  // namespace robust_kbench
