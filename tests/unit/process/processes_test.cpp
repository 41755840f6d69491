#include "process/processes.hpp"

#include <array>
#include <csignal>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

std::set<pid_t> pids_of(const std::vector<Process>& processes) {
  std::set<pid_t> pids;
  for (const Process& process : processes) pids.insert(process.pid);
  return pids;
}

TEST(Processes, AreFoundBelowEachThreadOfTheirParent) {
  std::array<int, 2> started{};
  ASSERT_EQ(pipe(started.data()), 0);
  pid_t child = 0;
  const auto start = [&] {
    child = fork();
    if (child != 0) return;
    const pid_t grandchild = fork();
    if (grandchild > 0) (void)!write(started[1], &grandchild, sizeof(grandchild));
    pause();
  };
  pid_t grandchild = 0;
  std::set<pid_t> found;
  // The thread lives on, so that its child stays on its own list.
  std::thread([&] {
    start();
    EXPECT_EQ(read(started[0], &grandchild, sizeof(grandchild)), ssize_t{sizeof(grandchild)});
    found = pids_of(processes_below(getpid()));
  }).join();
  EXPECT_EQ(found, (std::set<pid_t>{child, grandchild}));
  EXPECT_EQ(pids_of(descendants_of(getpid(), all_processes())), found);
  kill(grandchild, SIGKILL);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  close(started[0]);
  close(started[1]);
}

TEST(Processes, SayWhatTheyTake) {
  const std::vector<char> memory(std::size_t{256} << 20, '\1');
  const auto own = find_process(getpid());
  ASSERT_TRUE(own.has_value());
  EXPECT_EQ(own->name, "unit_process");
  EXPECT_GE(own->resident_bytes, memory.size());
}

}  // namespace
}  // namespace robust_kbench
