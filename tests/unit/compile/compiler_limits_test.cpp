#include "compile/compiler_limits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ContainsRegex;

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// Why a watch with these limits ends a program of the shell.
std::string excess_of(const std::string& script, const CompilerLimits& limits) {
  const std::vector<std::string> command{"/bin/sh", "-c", script};
  const auto watch = [&](pid_t program) { return exceeded_limit(program, limits); };
  const CommandResult result =
      run_to_end({.arguments = command}, std::chrono::minutes{2}, {}, watch);
  EXPECT_FALSE(result.timed_out);
  return result.excess;
}

// Either tail keeps 60 MiB, since it cannot write them.
TEST(CompilerLimits, MemoryIsThatOfAllProcessesTogether) {
  const std::string keeps = "head -c 62914560 /dev/zero | tail -c 62914560 | sleep 1000";
  const std::string excess =
      excess_of(keeps + " & " + keeps,
                {.memory_bytes = 100 * mebibyte, .processor_time = std::chrono::minutes{10}});
  EXPECT_THAT(excess, ContainsRegex("had 1[0-9][0-9] MiB of memory in [1-9] processes, "
                                    "[0-9]+ of it in tail; the limit is 100 MiB; make the source "
                                    "smaller"));
}

// No process lives longer than a fifth of the limit.
TEST(CompilerLimits, TimeIsThatOfAllProcessesEvenAfterTheirEnd) {
  const std::string excess =
      excess_of("while :; do timeout 0.2 sh -c 'while :; do :; done'; done",
                {.memory_bytes = 6144 * mebibyte, .processor_time = std::chrono::seconds{1}});
  EXPECT_THAT(excess, ContainsRegex("used [1-9][.][0-9] s of a processor; the limit is "
                                    "1 s; make the source smaller"));
}

TEST(CompilerLimits, LetAProgramBeThatStaysWithinThem) {
  EXPECT_EQ(excess_of("true", compiler_limits(Device::cpu)), "");
}

}  // namespace
}  // namespace robust_kbench
