#include "prompt/device_facts.hpp"

#include "device/cuda_driver.hpp"
#include "tune/tunables.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// No fact of the device is negative, so nothing is left where the restriction is obeyed.
void expect_each_to_restrict(const std::map<std::string, long long>& facts) {
  for (const auto& [name, value] : facts) {
    EXPECT_GT(value, 0) << name;
    const TunableSpace space = TunableSpace::of("constexpr int n = 1;  // tune: 1, 2\n", facts,
                                                {{}, {"n * " + name + " < 0"}});
    EXPECT_FALSE(space.allows(space.current())) << name;
  }
}

TEST(DeviceFacts, OfTheCpuAreThoseThatRestrictionsName) {
  const auto facts = device_facts(Device::cpu);
  EXPECT_TRUE(facts.contains("cpu_cores"));
  expect_each_to_restrict(facts);
}

TEST(DeviceFacts, OfAGpuAreThoseThatRestrictionsName) {
  if (!cuda_facts().missing.empty()) GTEST_SKIP() << cuda_facts().missing;
  const auto facts = device_facts(Device::cuda);
  EXPECT_TRUE(facts.contains("shared_memory_per_block"));
  expect_each_to_restrict(facts);
}

}  // namespace
}  // namespace robust_kbench
