#include "report/progress_reporter.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

KernelRecord finished_kernel(const std::string& name) {
  KernelRecord record;
  record.entry.task = "norm";
  record.name = name;
  record.judgement = {.verdict = Verdict::pass, .reason = ""};
  return record;
}

// A pipe has no bar. What it has of a run is the first stage, and a line for each kernel.
TEST(ProgressReporter, WritesPlainLinesWhereThereIsNoTerminal) {
  testing::internal::CaptureStderr();
  {
    ProgressReporter reporter;
    reporter.begin({.kernels = 2});
    reporter.progress("norm.forward.a", "1 of 4 cases", 0.25);
    reporter.progress("norm.forward.a", "2 of 4 cases", 0.5);
    reporter.finished(finished_kernel("a"));
    reporter.finished(finished_kernel("b"));
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "[1/2] norm.forward.a: 1 of 4 cases\n[1/2] norm.forward.a: pass\n"
            "[2/2] norm.forward.b: pass\n");
}

}  // namespace
}  // namespace robust_kbench
