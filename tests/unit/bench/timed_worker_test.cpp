#include "bench/timed_worker.hpp"

#include <chrono>
#include <filesystem>
#include <thread>

#include "bench/call_source.hpp"
#include "device/cpu.hpp"
#include "doubling_task.hpp"
#include "process/temporary_directory.hpp"

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
  // Whether the last call of a batch doubled its input.
  bool doubles(const Load& load, std::size_t count = 1) {
    const std::vector<Tensors> calls = m_call_source.batch(count);
    const BatchAnswer answer =
        m_worker.run({.load = load,
                      .workload = {m_task, Direction::forward, m_task.defaults},
                      .calls = calls,
                      .keep = count - 1});
    return at::equal(answer.outputs.at(0), at::mul(calls.back()["x"], 2.0));
  }

  Task m_task = doubling_task();
  CallSource m_call_source{{m_task, Direction::forward, m_task.defaults}, 1};
  TimedWorker m_worker{worker_options()};
};

TEST_F(TimedWorkerTest, LoadsWhatEachBatchNames) {
  const Load honest{.library = "honest", .entry = "forward"};
  const Load other{.library = "wrong when timed", .entry = "forward"};
  EXPECT_TRUE(doubles(honest));
  EXPECT_FALSE(doubles(other));
  EXPECT_TRUE(doubles(honest));
}

TEST_F(TimedWorkerTest, PoisonsAheadOfWhoeverHasTheNextBatch) {
  constexpr std::size_t calls = 100;  // whose outputs are more than is poisoned ahead of anybody
  const Load strict{.library = "minds poisoning", .entry = "forward"};
  EXPECT_FALSE(doubles(strict, calls)) << "nothing is known of the first batch";
  EXPECT_TRUE(doubles(strict, calls));
  EXPECT_TRUE(doubles({.library = "honest", .entry = "forward"}));
  EXPECT_TRUE(doubles(strict, calls));
  m_worker.load(strict);
  EXPECT_FALSE(doubles(strict, calls)) << "it may be of another config";
}

TEST_F(TimedWorkerTest, LoadsAgainAfterAFailure) {
  const Load honest{.library = "honest", .entry = "forward"};
  EXPECT_TRUE(doubles(honest));
  EXPECT_THROW(m_worker.load({.library = "unloadable", .entry = "forward"}), Rejection);
  EXPECT_TRUE(doubles(honest));
}

// A thread that the kernel has started writes to a file whenever it can.
TEST_F(TimedWorkerTest, HasNoThreadThatRunsBetweenBatches) {
  const TemporaryDirectory directory("timed_worker");
  const std::string file = directory.path() / "steps";
  const Load restless{.library = "never rests, see " + file, .entry = "forward"};
  EXPECT_TRUE(doubles(restless));
  bool rests = false;
  for (int i = 0; i < 20 && !rests; ++i) {
    const auto steps = std::filesystem::file_size(file);
    std::this_thread::sleep_for(std::chrono::milliseconds{100});
    rests = std::filesystem::file_size(file) == steps;
  }
  EXPECT_TRUE(rests);
  const auto steps = std::filesystem::file_size(file);
  EXPECT_TRUE(doubles(restless, 10));
  EXPECT_GT(std::filesystem::file_size(file), steps) << "it goes on with the next batch";
}

// The process is gone before the next batch.
TEST_F(TimedWorkerTest, RejectsWhoHasAProcessWorkWhileOthersAreTimed) {
  const Load load{.library = "has a process work while others are timed", .entry = "forward"};
  constexpr int batches = 60;  // in one of four of which it looks
  try {
    for (int i = 0; i < batches; ++i) {
      EXPECT_TRUE(doubles(load));
      std::this_thread::sleep_for(std::chrono::milliseconds{50});
    }
    FAIL() << "nothing was thrown";
  } catch (const Rejection& rejection) {
    EXPECT_EQ(rejection.judgement().cheat_class, CheatClass::left_process);
  }
}

}  // namespace
}  // namespace robust_kbench
