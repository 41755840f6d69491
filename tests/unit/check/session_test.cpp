#include "check/session.hpp"

#include <csignal>
#include <vector>

#include "adding_task.hpp"
#include "device/gpu_patience.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

bool lives(int pid) {
  return kill(pid, 0) == 0;
}

class KernelSessionTest : public testing::Test {
 protected:
  static Params rows(std::int64_t count) { return {{"rows", count}}; }

  int start_worker() {
    EXPECT_FALSE(m_session.prepare(rows(1)));
    return m_session.worker().pid();
  }

  // Content of a config for whose making there is no memory while `worker` lives. Counts the tries.
  void make_without(int worker, std::int64_t rows_of_config) {
    const Params params = rows(rows_of_config);
    const auto content = m_session.content("any", params, [&] {
      return with_gpu_patience([&] {
        ++m_tries;
        if (lives(worker)) throw OutOfGpuMemory("no memory");
        return make_content(m_task, Direction::forward, params, 1);
      });
    });
    EXPECT_EQ(content->tensors["x"].size(0), rows_of_config);
  }

  const Task m_task = adding_task();
  const ExamineOptions m_options = adding_options();
  KernelSession m_session{m_task, {.task = m_task.name}, "right", adding_cases(1, 8), m_options};
  int m_tries = 0;
};

TEST_F(KernelSessionTest, GivesUpItsWorkerBeforeItWaitsForMemory) {
  const int worker = start_worker();
  make_without(worker, 8);
  EXPECT_EQ(m_tries, 2);
  EXPECT_FALSE(lives(worker));
}

TEST_F(KernelSessionTest, MakesWhatIsAsLargeBeforeThereIsAWorker) {
  make_without(start_worker(), 8);
  m_tries = 0;
  const int worker = start_worker();
  make_without(worker, 8);
  EXPECT_EQ(m_tries, 1);
  EXPECT_FALSE(lives(worker));
}

TEST_F(KernelSessionTest, KeepsItsWorkerForWhatIsSmaller) {
  make_without(start_worker(), 8);
  const int worker = start_worker();
  const Params small = rows(7);
  const auto content = m_session.content(
      "small", small, [&] { return make_content(m_task, Direction::forward, small, 1); });
  EXPECT_TRUE(lives(worker));
  EXPECT_EQ(m_session.worker().pid(), worker);
}

}  // namespace
}  // namespace robust_kbench
