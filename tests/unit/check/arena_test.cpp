#include "adding_task.hpp"
#include "check/batch.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20;

// The arena of a call that reads and writes 8 MiB, by an operator whose results hold so many bytes.
std::size_t arena_of(double unfused_bytes, bool gpu) {
  Task task = adding_task();
  task.forward_contract.cost = [=](const Params&) {
    return Cost{.bytes = 8.0 * mib, .unfused_bytes = unfused_bytes};
  };
  return arena_bytes({task, Direction::forward, task.defaults}, 1, gpu);
}

TEST(Arena, OnAGpuHoldsFourTimesTheTraffic) {
  EXPECT_EQ(arena_of(0, true), arena_of(8.0 * mib, true));
  EXPECT_EQ(arena_of(0, true), 256 * mib + 4 * 8 * mib);
}

TEST(Arena, OnAGpuHasRoomForResultsOfAnUnfusedKernel) {
  EXPECT_EQ(arena_of(500.0 * mib, true), 256 * mib + 8 * mib + 2 * 500 * mib);
}

TEST(Arena, OnACpuHasRoomForSmallOnesAnyway) {
  EXPECT_EQ(arena_of(50.0 * mib, false), arena_of(0, false));
}

}  // namespace
}  // namespace robust_kbench
