#include "device/gpu_choice.hpp"

#include <cstdlib>
#include <string>

#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

constexpr const char* visible = "CUDA_VISIBLE_DEVICES";
constexpr const char* allocation = "CTEST_RESOURCE_GROUP_0_GPUS";

class GpuChoice : public testing::Test {
 public:
  void SetUp() override { clear(); }
  void TearDown() override { clear(); }

 private:
  static void clear() {
    unsetenv(visible);
    unsetenv(allocation);
  }
};

TEST_F(GpuChoice, IsAnIndexWhereAllGpusAreVisible) {
  use_gpu(3);
  EXPECT_STREQ(std::getenv(visible), "3");
}

TEST_F(GpuChoice, CountsVisibleGpus) {
  setenv(visible, "4,GPU-7f3a", 1);
  use_gpu(1);
  EXPECT_STREQ(std::getenv(visible), "GPU-7f3a");
}

TEST_F(GpuChoice, LeavesWorkersTheFirstGpuOnly) {
  EXPECT_EQ(only_gpu(), "0");
  setenv(visible, "GPU-7f3a,4", 1);
  EXPECT_EQ(only_gpu(), "GPU-7f3a");
  setenv(visible, "", 1);
  EXPECT_EQ(only_gpu(), "-1");
}

TEST_F(GpuChoice, LeavesNoGpuIfTheIndexIsTooLarge) {
  setenv(visible, "4,7", 1);
  use_gpu(2);
  EXPECT_STREQ(std::getenv(visible), "-1");
}

TEST_F(GpuChoice, RefusesANegativeIndex) {
  EXPECT_THROW(use_gpu(-1), UserError);
}

TEST_F(GpuChoice, TakesTheGpuThatCTestHasAllocated) {
  use_gpu_of_ctest();
  EXPECT_EQ(std::getenv(visible), nullptr);
  setenv(allocation, "id:5,slots:1", 1);
  use_gpu_of_ctest();
  EXPECT_STREQ(std::getenv(visible), "5");
}

TEST_F(GpuChoice, QuotesAnAllocationThatItCannotRead) {
  setenv(allocation, "slots:1", 1);
  try {
    use_gpu_of_ctest();
    FAIL() << "nothing was thrown";
  } catch (const HarnessError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("is 'slots:1'"));
  }
}

}  // namespace
}  // namespace robust_kbench
