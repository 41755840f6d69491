#include "device/gpu_watch.hpp"

#include "device/cuda_driver.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(GpuWatch, HasAnAnswerFromItsStartToItsEnd) {
  if (!cuda_facts().missing.empty()) GTEST_SKIP() << cuda_facts().missing;
  if (!gpu_state()) GTEST_SKIP() << "NVML does not answer";
  const GpuWatch watch;
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(watch.state());
    EXPECT_GT(watch.state()->sm_mhz, 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
  }
}

}  // namespace
}  // namespace robust_kbench
