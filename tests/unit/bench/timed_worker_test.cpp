#include "bench/timed_worker.hpp"

#include "bench/contents.hpp"
#include "device/cpu.hpp"
#include "doubling_task.hpp"

#include <ATen/ops/equal.h>
#include <ATen/ops/mul.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

WorkerOptions worker_options() {
  WorkerOptions options;
  options.program = TEST_WORKER;
  options.cpus = {usable_cpus().front()};
  return options;
}

class TimedWorkerTest : public ::testing::Test {
 protected:
  // Whether the one call of a batch doubled its input.
  bool doubles(const Load& load) {
    const std::vector<Tensors> calls = m_contents.batch(1);
    const BatchAnswer answer = m_worker.run({.load = load,
                                             .task = m_task,
                                             .direction = Direction::forward,
                                             .params = m_task.defaults,
                                             .calls = calls,
                                             .keep = 0});
    return at::equal(answer.outputs.at(0), at::mul(calls[0]["x"], 2.0));
  }

  Task m_task = doubling_task();
  Contents m_contents{m_task, Direction::forward, m_task.defaults, 1};
  TimedWorker m_worker{worker_options()};
};

TEST_F(TimedWorkerTest, LoadsWhatEachBatchNames) {
  const Load honest{.library = "honest", .entry = "forward"};
  const Load other{.library = "wrong when timed", .entry = "forward"};
  EXPECT_TRUE(doubles(honest));
  EXPECT_FALSE(doubles(other));
  EXPECT_TRUE(doubles(honest));
}

TEST_F(TimedWorkerTest, LoadsAgainAfterAFailure) {
  const Load honest{.library = "honest", .entry = "forward"};
  EXPECT_TRUE(doubles(honest));
  EXPECT_THROW(m_worker.load({.library = "unloadable", .entry = "forward"}), Rejection);
  EXPECT_TRUE(doubles(honest));
}

}  // namespace
}  // namespace robust_kbench
