#include "device/gpu_memory_wait.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(GpuMemoryWait, TriesAgainWhileThereIsNoMemory) {
  int tries = 0;
  const int result = wait_for_gpu_memory([&] {
    if (++tries < 3) throw OutOfGpuMemory("no memory");
    return 42;
  });
  EXPECT_EQ(result, 42);
  EXPECT_EQ(tries, 3);
}

TEST(GpuMemoryWait, ThrowsTheLastErrorAfterTheLimit) {
  int tries = 0;
  const auto work = [&] {
    ++tries;
    throw OutOfGpuMemory("no memory");
  };
  EXPECT_THAT([&] { wait_for_gpu_memory(work, std::chrono::milliseconds{1}); },
              testing::ThrowsMessage<OutOfGpuMemory>(
                  testing::StartsWith("no memory; nobody gave any back for 1 ms")));
  EXPECT_GE(tries, 2);
}

TEST(GpuMemoryWait, IsSkippedUnderNoGpuMemoryWait) {
  int tries = 0;
  const auto work = [&] {
    ++tries;
    throw OutOfGpuMemory("no memory");
  };
  {
    const NoGpuMemoryWait hurry;
    EXPECT_THROW(wait_for_gpu_memory(work), OutOfGpuMemory);
    EXPECT_EQ(tries, 1);
  }
  EXPECT_FALSE(NoGpuMemoryWait::felt());
}

TEST(GpuMemoryWait, PassesOnOtherErrorsAtOnce) {
  int tries = 0;
  const auto work = [&] {
    ++tries;
    throw HarnessError("out of memory, says something else");
  };
  EXPECT_THROW(wait_for_gpu_memory(work), HarnessError);
  EXPECT_EQ(tries, 1);
}

}  // namespace
}  // namespace robust_kbench
