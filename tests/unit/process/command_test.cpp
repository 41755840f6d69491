#include "process/command.hpp"

#include <cstdlib>
#include <filesystem>
#include <thread>
#include <unistd.h>

#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "process/environment.hpp"
#include "process/processes.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using namespace std::chrono_literals;

CommandResult shell(const std::string& script, std::chrono::milliseconds timeout = 120s) {
  return run_command({"/bin/sh", "-c", script}, timeout);
}

TEST(RunCommand, GivesOutputAndExitCode) {
  const CommandResult result = shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(result.output, "out\nerr\n");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_FALSE(result.timed_out);
}

TEST(RunCommand, KillsTheProgramWhenStopIsRequested) {
  const TemporaryDirectory directory("command");
  const std::filesystem::path sign = directory.path() / "sign";
  std::stop_source stop;
  const std::jthread canceller([&] {
    while (!exists(sign)) std::this_thread::sleep_for(5ms);
    stop.request_stop();
  });
  const std::string script = "touch '" + sign.string() + "'; sleep 1000";
  EXPECT_THROW(run_command({"/bin/sh", "-c", script}, 120s, {}, stop.get_token()), Cancelled);
}

TEST(RunCommand, GivesNothingOnStdin) {
  EXPECT_EQ(shell("cat").exit_code, 0);
}

TEST(RunCommand, PassesOnlyTheNamedVariables) {
  setenv("RKB_TEST_SECRET", "marker", 1);
  const std::vector<std::string> nothing;
  const CommandResult bare =
      run_to_end({.arguments = {"/usr/bin/env"}, .environment = nothing}, 20s);
  const CommandResult named = run_to_end(
      {.arguments = {"/usr/bin/env"}, .environment = named_variables({"HOME", "NOT_SET"})}, 20s);
  unsetenv("RKB_TEST_SECRET");
  EXPECT_EQ(bare.output, "");
  EXPECT_EQ(named.output, "HOME=" + std::string(getenv("HOME")) + "\n");
}

TEST(RunCommand, RunsInADirectory) {
  EXPECT_EQ(run_command({"pwd"}, 20s, "/usr").output, "/usr\n");
}

TEST(RunCommand, ReportsASignalInTheExitCode) {
  EXPECT_EQ(shell("kill -SEGV $$").exit_code, 128 + 11);
}

TEST(RunCommand, LeavesNothingInItsGroup) {
  const auto before = descendants_of(getpid(), all_processes()).size();
  EXPECT_EQ(shell("sleep 1000 &").exit_code, 0);
  EXPECT_EQ(descendants_of(getpid(), all_processes()).size(), before);
}

TEST(RunCommand, EndsTheWholeGroupAtTheLimit) {
  const auto before = descendants_of(getpid(), all_processes()).size();
  const CommandResult result = shell("sleep 1000 | sleep 1000", 200ms);
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.exit_code, 128 + 9);
  EXPECT_LE(descendants_of(getpid(), all_processes()).size(), before + 2);
}

TEST(RunCommand, EndsWithTheProgramThoughAChildHoldsItsPipe) {
  const CommandResult result = shell("sleep 1000 & echo done");
  EXPECT_EQ(result.output, "done\n");
  EXPECT_FALSE(result.timed_out);
}

TEST(RunCommand, KeepsTheEndOfLongOutput) {
  const CommandResult result = shell("seq 1 100000");
  EXPECT_EQ(result.output.size(), std::size_t{64} << 10);
  EXPECT_THAT(result.output, testing::EndsWith("99999\n100000\n"));
}

TEST(RunCommand, SaysWhichProgramIsMissing) {
  EXPECT_THROW(run_command({"/nowhere/cc"}, 1s), HarnessError);
}

TEST(RunToEnd, TakesAwayTheRightToTrace) {
  constexpr int trace_others = 19;  // CAP_SYS_PTRACE
  const CommandResult result = run_to_end(
      {.arguments = {"/bin/grep", "CapBnd", "/proc/self/status"}, .traces_nobody = true}, 10s);
  ASSERT_EQ(result.exit_code, 0) << result.output;
  if (geteuid() != 0) GTEST_SKIP() << "only root has it";
  const auto capabilities =
      std::stoull(result.output.substr(result.output.find('\t')), nullptr, 16);
  EXPECT_EQ(capabilities >> trace_others & 1, 0);
}

}  // namespace
}  // namespace robust_kbench
