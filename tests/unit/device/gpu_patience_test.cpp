#include "device/gpu_patience.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(GpuPatience, TriesAgainWhileThereIsNoMemory) {
  int tries = 0;
  const int result = with_gpu_patience([&] {
    if (++tries < 3) throw OutOfGpuMemory("no memory");
    return 42;
  });
  EXPECT_EQ(result, 42);
  EXPECT_EQ(tries, 3);
}

TEST(GpuPatience, EndsWithWhatWasMissing) {
  int tries = 0;
  const auto work = [&] {
    ++tries;
    throw OutOfGpuMemory("no memory");
  };
  EXPECT_THAT([&] { with_gpu_patience(work, std::chrono::milliseconds{1}); },
              testing::ThrowsMessage<OutOfGpuMemory>(
                  testing::StartsWith("no memory; nobody gave any back for 1 ms")));
  EXPECT_GE(tries, 2);
}

TEST(GpuPatience, DoesNotWaitInAHurry) {
  int tries = 0;
  const auto work = [&] {
    ++tries;
    throw OutOfGpuMemory("no memory");
  };
  {
    const GpuImpatience hurry;
    EXPECT_THROW(with_gpu_patience(work), OutOfGpuMemory);
    EXPECT_EQ(tries, 1);
  }
  EXPECT_FALSE(GpuImpatience::felt());
}

TEST(GpuPatience, PassesOnEveryOtherFailureAtOnce) {
  int tries = 0;
  const auto work = [&] {
    ++tries;
    throw HarnessError("out of memory, says something else");
  };
  EXPECT_THROW(with_gpu_patience(work), HarnessError);
  EXPECT_EQ(tries, 1);
}

}  // namespace
}  // namespace robust_kbench
