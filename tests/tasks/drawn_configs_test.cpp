#include "evaluate/drawn_configs.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "entries.hpp"
#include "tensor/generator.hpp"
#include "tensor/reference.hpp"
#include "tensor/spec_check.hpp"
#include "tensor/workload.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

class DrawnConfigsOf : public testing::TestWithParam<TaskEntry> {};

TEST_P(DrawnConfigsOf, AreThereForEveryNonceAndMakeTensors) {
  const TaskEntry& entry = GetParam();
  std::vector<Config> for_gpu = entry.configs(ConfigSet::small);
  const std::vector<Config> multi = entry.configs(ConfigSet::multi);
  for_gpu.insert(for_gpu.end(), multi.begin(), multi.end());
  for (const std::vector<Config>& listed : {entry.configs(ConfigSet::small), for_gpu}) {
    for (std::uint64_t nonce = 1; nonce <= 8; ++nonce) {
      const auto drawn = drawn_configs(entry.task, entry.direction, listed, nonce);
      ASSERT_EQ(drawn.size(), drawn_configs_count);
      for (const Config& config : drawn) {
        check_specs({entry.task, entry.direction, config.params}, config.name);
      }
    }
  }
}

TEST_P(DrawnConfigsOf, HaveReferences) {
  const TaskEntry& entry = GetParam();
  for (std::uint64_t nonce = 1; nonce <= 8; ++nonce) {
    for (const Config& config :
         drawn_configs(entry.task, entry.direction, entry.configs(ConfigSet::small), nonce)) {
      const Workload workload{entry.task, entry.direction, config.params};
      for (const at::Tensor& expected : reference(workload, make_tensors(workload, nonce))) {
        EXPECT_GT(expected.numel(), 0) << Case{config}.asks();
      }
    }
  }
}

// The edges of one nonce would miss a kernel that the next one's catch.
TEST_P(DrawnConfigsOf, CoverEverySizeThatADirectionHas) {
  const TaskEntry& entry = GetParam();
  std::map<std::string, std::set<std::int64_t>> seen;
  for (std::uint64_t nonce = 1; nonce <= 60; ++nonce) {
    for (const Config& config :
         drawn_configs(entry.task, entry.direction, entry.configs(ConfigSet::small), nonce)) {
      for (const SizeRange& size : entry.task.shapes->sizes) {
        seen[size.parameter].insert(config.params.integer(size.parameter));
      }
    }
  }
  for (const SizeRange& size : entry.task.shapes->sizes) {
    const bool of_image = size.parameter == "height" || size.parameter == "width";
    if (entry.name() == "unet_linear.backward" && of_image) continue;  // it has none
    const auto values = static_cast<std::size_t>(size.most - size.least + 1);
    EXPECT_GE(seen[size.parameter].size(), std::min<std::size_t>(values, 8)) << size.parameter;
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, DrawnConfigsOf, testing::ValuesIn(task_entries()),
                         [](const auto& info) {
                           return info.param.task.name + "_" +
                                  std::string(to_string(info.param.direction));
                         });

}  // namespace
}  // namespace robust_kbench
