#include "bench/timed_worker.hpp"

#include <filesystem>
#include <fstream>
#include <string>
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

// After a stop has been requested, a thread stops when it next gets a processor.
bool all_threads_are_stopped(int pid) {
  const std::string tasks = "/proc/" + std::to_string(pid) + "/task";
  for (const auto& task : std::filesystem::directory_iterator(tasks)) {
    std::ifstream in(task.path() / "stat");
    std::string stat;
    std::getline(in, stat);
    if (!stat.substr(stat.rfind(')')).starts_with(") T")) return false;
  }
  return true;
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

// The kernel starts a thread that writes to a file whenever it can.
TEST_F(TimedWorkerTest, HasNoThreadThatRunsBetweenBatches) {
  const TemporaryDirectory directory("timed_worker");
  const std::string file = directory.path() / "steps";
  const Load restless{.library = "never rests, see " + file, .entry = "forward"};
  EXPECT_TRUE(doubles(restless));
  while (!all_threads_are_stopped(m_worker.pid())) std::this_thread::yield();
  const auto steps = std::filesystem::file_size(file);
  while (std::filesystem::file_size(file) == steps) {
    ASSERT_TRUE(doubles(restless, 10)) << "it goes on with some batch";
  }
}

// The process ends before the next batch.
TEST_F(TimedWorkerTest, RejectsAKernelWhoseProcessWorksWhileOthersAreTimed) {
  const Load load{.library = "has a process work while others are timed", .entry = "forward"};
  try {
    // The worker looks for processes in one of four batches.
    while (doubles(load)) {
    }
    FAIL() << "wrong before anything was thrown";
  } catch (const Rejection& rejection) {
    EXPECT_EQ(rejection.judgement().cheat_class, CheatClass::left_process);
  }
}

}  // namespace
}  // namespace robust_kbench
