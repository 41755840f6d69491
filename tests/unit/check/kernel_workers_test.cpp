#include "check/kernel_workers.hpp"

#include <csignal>
#include <vector>

#include "device/gpu_memory_wait.hpp"
#include "examine_adding.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

bool lives(int pid) {
  return kill(pid, 0) == 0;
}

class KernelWorkersTest : public testing::Test {
 protected:
  static Params rows(std::int64_t count) { return {{"rows", count}}; }

  int start_worker() {
    EXPECT_FALSE(m_workers.prepare(rows(1)));
    return m_workers.worker().pid();
  }

  // Makes content of a config, for which there is no memory while `worker` lives. Counts the tries.
  void make_without(int worker, std::int64_t rows_of_config) {
    const Params params = rows(rows_of_config);
    const auto content = m_workers.content("any", params, [&] {
      return wait_for_gpu_memory([&] {
        ++m_tries;
        if (lives(worker)) throw OutOfGpuMemory("no memory");
        return make_content({m_task, Direction::forward, params}, 1);
      });
    });
    EXPECT_EQ(content->tensors["x"].size(0), rows_of_config);
  }

  const Task m_task = adding_task();
  const ExamineOptions m_options = adding_options();
  KernelWorkers m_workers{m_task, {.task = m_task.name}, "right", adding_cases(1, 8), m_options};
  int m_tries = 0;
};

TEST_F(KernelWorkersTest, GivesUpItsWorkerBeforeItWaitsForMemory) {
  const int worker = start_worker();
  make_without(worker, 8);
  EXPECT_EQ(m_tries, 2);
  EXPECT_FALSE(lives(worker));
}

TEST_F(KernelWorkersTest, MakesLargeContentBeforeThereIsAWorker) {
  make_without(start_worker(), 8);
  m_tries = 0;
  const int worker = start_worker();
  make_without(worker, 8);
  EXPECT_EQ(m_tries, 1);
  EXPECT_FALSE(lives(worker));
}

TEST_F(KernelWorkersTest, KeepsItsWorkerForSmallerContent) {
  make_without(start_worker(), 8);
  const int worker = start_worker();
  const Params small = rows(7);
  const auto content = m_workers.content("small", small, [&] {
    return make_content({m_task, Direction::forward, small}, 1);
  });
  EXPECT_TRUE(lives(worker));
  EXPECT_EQ(m_workers.worker().pid(), worker);
}

}  // namespace
}  // namespace robust_kbench
