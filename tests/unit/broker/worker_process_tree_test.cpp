#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

#include "process/command.hpp"
#include "process/processes.hpp"
#include "scripted.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

int children_of_this_process() {
  return static_cast<int>(descendants_of(getpid(), all_processes()).size());
}

class WorkerProcessTree : public testing::TestWithParam<const char*> {};

TEST_P(WorkerProcessTree, IsFoundAndEnded) {
  const int before = children_of_this_process();
  Scripted scripted(GetParam());
  ASSERT_TRUE(std::holds_alternative<Ran>(scripted.worker.run()));
  EXPECT_EQ(scripted.worker.child_count(), 1);
  EXPECT_EQ(scripted.worker.stop(), 1);
  EXPECT_EQ(children_of_this_process(), before);
}

INSTANTIATE_TEST_SUITE_P(All, WorkerProcessTree,
                         testing::Values("child", "orphan", "session", "orphan session",
                                         "forged orphan", "orphan's thread"));

TEST(WorkerProcessTreeOfTwo, EachWorkerOwnsOnlyItsChildren) {
  const int before = children_of_this_process();
  Scripted honest("nothing");
  Scripted other("orphan session");
  std::get<Ran>(other.worker.run());
  EXPECT_EQ(honest.worker.child_count(), 0);
  EXPECT_EQ(honest.worker.stop(), 0);
  EXPECT_TRUE(other.worker.alive());
  EXPECT_EQ(other.worker.stop(), 1);
  EXPECT_EQ(children_of_this_process(), before);
}

TEST(WorkerProcessTreeOfTwo, ChildrenOfThisProcessAreSpared) {
  const pid_t bystander = fork();
  if (bystander == 0) {
    pause();
    _exit(0);
  }
  Scripted scripted("child");
  std::get<Ran>(scripted.worker.run());
  EXPECT_EQ(scripted.worker.stop(), 1);
  EXPECT_EQ(kill(bystander, 0), 0);
  kill(bystander, SIGKILL);
}

// When one process of a compiler fails, others may be left behind like this.
TEST(WorkerProcessTreeOfTwo, ProcessesLeftByACommandBelongToNoWorker) {
  Scripted honest("nothing");
  const int before = children_of_this_process();
  const char* in_a_group_of_its_own = "set -m; sleep 1000 &";
  const auto run = run_command({"bash", "-c", in_a_group_of_its_own}, std::chrono::seconds{20});
  EXPECT_EQ(run.exit_code, 0) << run.output;
  EXPECT_EQ(children_of_this_process(), before + 1);
  EXPECT_EQ(honest.worker.child_count(), 0);
  EXPECT_EQ(honest.worker.stop(), 0);
  for (const Process& left : descendants_of(getpid(), all_processes())) {
    kill(left.pid, SIGKILL);
    waitpid(left.pid, nullptr, 0);
  }
}

TEST(WorkerProcessTreeWithoutChildren, AReapedChildDoesNotCount) {
  Scripted scripted("waited child");
  ASSERT_TRUE(std::holds_alternative<Ran>(scripted.worker.run()));
  EXPECT_EQ(scripted.worker.child_count(), 0);
  EXPECT_EQ(scripted.worker.stop(), 0);
}

TEST(WorkerProcessTreeAfterDeath, IsEndedWithTheWorker) {
  const int before = children_of_this_process();
  Scripted scripted("hold channel");
  EXPECT_TRUE(std::holds_alternative<Judgement>(scripted.worker.run()));
  EXPECT_EQ(children_of_this_process(), before);
}

}  // namespace
}  // namespace robust_kbench
