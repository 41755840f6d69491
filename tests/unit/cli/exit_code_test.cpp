#include "cli/exit_code.hpp"

#include "core/error.hpp"
#include "core/record.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using Verdicts = std::vector<Verdict>;

TEST(ExitCode, AHarnessErrorOutweighsARejectionAndThatAPass) {
  EXPECT_EQ(exit_code(Verdicts{Verdict::pass, Verdict::cheat, Verdict::harness_error}),
            ExitCode::harness_error);
  EXPECT_EQ(exit_code(Verdicts{Verdict::pass, Verdict::unsafe, Verdict::skipped}),
            ExitCode::rejected);
  EXPECT_EQ(exit_code(Verdicts{Verdict::skipped, Verdict::pass}), ExitCode::pass);
}

TEST(ExitCode, NothingThatRanIsSkipped) {
  EXPECT_EQ(exit_code(Verdicts{Verdict::skipped, Verdict::skipped}), ExitCode::skipped);
  EXPECT_EQ(exit_code(Verdicts{}), ExitCode::skipped);
}

TEST(ExitCode, TakesTheVerdictsOfRecords) {
  std::vector<KernelRecord> records(2);
  records[0].judgement = passed();
  records[1].judgement.verdict = Verdict::compile_error;
  EXPECT_EQ(exit_code(records), ExitCode::rejected);
}

}  // namespace
}  // namespace robust_kbench
