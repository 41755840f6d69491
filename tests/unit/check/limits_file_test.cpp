#include "check/limits_file.hpp"

#include <cmath>
#include <memory>
#include <sys/wait.h>
#include <unistd.h>

#include "check/limits_cache.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// Runs `work` in a fork of this process, and waits for it.
template <typename Work>
void in_a_fork(const Work& work) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    work();
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

std::vector<PrecisionLimits> some_limits(double atol) {
  const RmsLimit rms{.most = 1.0 / 3, .float32 = 1e-300, .output = 2, .terms = 1600};
  return {{.atol = atol,
           .rtol = 0.1,
           .rms = rms,
           .parts = {{.atol = 2 * atol, .rms = rms, .part = "row 3"}}},
          {}};
}

TEST(LimitsFile, GivesEveryProcessWhatAnotherHasAdded) {
  LimitsFile file;
  EXPECT_FALSE(file.find("a"));
  in_a_fork([&] { file.add("a", some_limits(0.3)); });
  in_a_fork([&] { file.add("b", some_limits(7)); });
  const auto found = file.find("a");
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 2U);
  EXPECT_EQ(found->front().atol, 0.3);
  EXPECT_EQ(found->front().rms->most, 1.0 / 3);
  EXPECT_EQ(found->front().rms->float32, 1e-300);
  EXPECT_EQ(found->front().rms->terms, 1600);
  EXPECT_EQ(found->front().parts.at(0).part, "row 3");
  EXPECT_EQ(found->front().parts.at(0).rms->output, 2);
  EXPECT_FALSE(found->back().rms);
  EXPECT_EQ(file.find("b")->front().atol, 7);
  EXPECT_FALSE(file.find("c"));
}

TEST(LimitsFile, LeavesOutWhatIsInfinite) {
  LimitsFile file;
  file.add("a", some_limits(INFINITY));
  EXPECT_FALSE(file.find("a"));
}

TEST(LimitsFile, ServesCachesOfSeveralProcesses) {
  const auto file = std::make_shared<LimitsFile>();
  in_a_fork([&] { LimitsCache(file, "entry ").get("a", [] { return some_limits(5); }); });
  LimitsCache same(file, "entry ");
  EXPECT_EQ(same.get("a", [] { return some_limits(6); })->front().atol, 5);
  LimitsCache other(file, "another entry ");
  EXPECT_EQ(other.get("a", [] { return some_limits(6); })->front().atol, 6);
}

}  // namespace
}  // namespace robust_kbench
