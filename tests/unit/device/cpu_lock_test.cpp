#include "device/cpu_lock.hpp"

#include <atomic>
#include <optional>
#include <thread>

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using Use = GpuLock::Use;

void await(const std::atomic<bool>& flag) {
  while (!flag) std::this_thread::yield();
}

TEST(CpuLock, HasManySharers) {
  const CpuLock own(Use::shared);
  std::jthread([] { const CpuLock other(Use::shared); }).join();
  EXPECT_FALSE(CpuLock::is_awaited());
}

TEST(CpuLock, IsExclusiveOnceAllSharersHaveGone) {
  std::optional<CpuLock> sharing(std::in_place, Use::shared);
  std::atomic<bool> shared = true;
  std::jthread timing([&] {
    const CpuLock alone(Use::exclusive);
    EXPECT_FALSE(shared);
  });
  while (!CpuLock::is_awaited()) std::this_thread::yield();
  shared = false;
  sharing.reset();
  timing.join();
  EXPECT_FALSE(CpuLock::is_awaited());
}

TEST(CpuLock, AnExclusiveWaiterGoesBeforeLaterSharers) {
  std::optional<CpuLock> sharing(std::in_place, Use::shared);
  std::atomic<bool> was_alone = false;
  std::jthread timing([&] {
    const CpuLock alone(Use::exclusive);
    was_alone = true;
  });
  while (!CpuLock::is_awaited()) std::this_thread::yield();
  std::atomic<bool> begun = false;
  std::jthread late([&] {
    begun = true;
    const CpuLock other(Use::shared);
    EXPECT_TRUE(was_alone);
  });
  await(begun);
  sharing.reset();
}

}  // namespace
}  // namespace robust_kbench
