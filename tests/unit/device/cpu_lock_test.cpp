#include "device/cpu_lock.hpp"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using Use = GpuLock::Use;

TEST(CpuLock, LetsManyTestAtOnce) {
  const CpuLock one(Use::test);
  std::thread([] { const CpuLock another(Use::test); }).join();
}

TEST(CpuLock, LetsNobodyRunBesideWhoHasItAlone) {
  std::atomic<int> inside = 0;
  std::atomic<int> beside_one_alone = 0;
  const auto take_in_turn = [&](Use use) {
    for (int i = 0; i < 1000; ++i) {
      const CpuLock lock(use);
      const int others = inside++;
      std::this_thread::yield();
      if (use == Use::time) beside_one_alone += others + (inside - 1);
      --inside;
    }
  };
  std::vector<std::thread> threads;
  for (const Use use : {Use::test, Use::time, Use::test, Use::time}) {
    threads.emplace_back(take_in_turn, use);
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(beside_one_alone, 0);
}

}  // namespace
}  // namespace robust_kbench
