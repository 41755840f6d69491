#include "check/reference_threads.hpp"

#include <cstdint>

#include "../bench/doubling_task.hpp"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

class ReferenceThreadsTest : public testing::Test {
 protected:
  void SetUp() override { at::set_num_threads(2); }
  void TearDown() override { at::set_num_threads(m_before); }

  // The number of torch's threads while references of so many floats are made.
  [[nodiscard]] int threads_for(std::int64_t floats) const {
    const ReferenceThreads threads({m_task, Direction::forward, {{"size", floats}}});
    return at::get_num_threads();
  }

  const Task m_task = doubling_task();
  const int m_before = at::get_num_threads();
};

TEST_F(ReferenceThreadsTest, AreOneForASmallWorkloadUntilTheScopeEnds) {
  EXPECT_EQ(threads_for(1000), 1);
  EXPECT_EQ(at::get_num_threads(), 2);
}

TEST_F(ReferenceThreadsTest, AreAllForALargeWorkload) {
  EXPECT_EQ(threads_for(20'000'000), 2);
}

}  // namespace
}  // namespace robust_kbench
