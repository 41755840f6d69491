#include "bench/keeper.hpp"

#include <atomic>
#include <optional>
#include <stdexcept>

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using namespace std::chrono_literals;

TEST(Keeper, WorksInOneThreadOfItsOwn) {
  Keeper keeper(1h, [] {});
  std::thread::id first;
  std::thread::id second;
  keeper.run([&] { first = std::this_thread::get_id(); }).get();
  keeper.run([&] { second = std::this_thread::get_id(); }).get();
  EXPECT_EQ(first, second);
  EXPECT_NE(first, std::this_thread::get_id());
}

TEST(Keeper, PassesOnWhatIsThrown) {
  Keeper keeper(1h, [] {});
  EXPECT_THROW(keeper.run([] { throw std::runtime_error("no"); }).get(), std::runtime_error);
  EXPECT_NO_THROW(keeper.run([] {}).get());
}

TEST(Keeper, IsIdleOnceAfterTheLastUse) {
  std::atomic<int> idle = 0;
  Keeper keeper(0ms, [&] { ++idle; });
  {
    std::optional<Keeper::Use> first(keeper);
    const Keeper::Use second(keeper);
    first.reset();
    keeper.run([] {}).get();
    EXPECT_EQ(idle, 0);
  }
  while (idle == 0) std::this_thread::yield();
  // on_idle was called once and is not called again.
  keeper.run([] {}).get();
  keeper.run([] {}).get();
  EXPECT_EQ(idle, 1);
}

TEST(Keeper, IsNotIdleBeforeItIsUsed) {
  std::atomic<int> idle = 0;
  Keeper keeper(0ms, [&] { ++idle; });
  keeper.run([] {}).get();
  EXPECT_EQ(idle, 0);
}

TEST(Keeper, DoesAllRequestedWorkBeforeItEnds) {
  bool done = false;
  {
    Keeper keeper(1h, [] {});
    keeper.run([&] { done = true; });
  }
  EXPECT_TRUE(done);
}

}  // namespace
}  // namespace robust_kbench
