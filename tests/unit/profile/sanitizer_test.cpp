#include "profile/sanitizer.hpp"

#include "core/error.hpp"
#include "golden.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;

std::string refusal(std::string_view tool, std::string_view log) {
  try {
    (void)sanitizer_findings(tool, log);
  } catch (const HarnessError& error) {
    return error.what();
  }
  return "no HarnessError";
}

std::string log_of(const std::string& body, const std::string& summary = "ERROR SUMMARY: 1 error") {
  return "========= COMPUTE-SANITIZER\n" + body + "========= " + summary + "\n";
}

double total(const std::vector<ToolFinding>& findings) {
  double sum = 0;
  for (const ToolFinding& finding : findings) sum += finding.value.value_or(0);
  return sum;
}

TEST(Sanitizer, SaysWhereAKernelWritesPastTheEnd) {
  const auto findings = sanitizer_findings("memcheck", golden("memcheck_write_past_the_end.txt"));
  ASSERT_THAT(findings, SizeIs(2));
  EXPECT_EQ(findings[0].tool, "memcheck");
  EXPECT_EQ(findings[0].what, "invalid_global_write");
  EXPECT_EQ(findings[0].severity, Severity::error);
  EXPECT_EQ(findings[0].where, (Place{.kernel = "writes_past(float *, int)",
                                      .file = "planted.cu",
                                      .line = 3,
                                      .address = "0x7efa8e800fa0",
                                      .thread = "(232,0,0)",
                                      .block = "(3,0,0)"}));
  EXPECT_THAT(findings[0].meaning,
              AllOf(HasSubstr("of size 4 bytes"), HasSubstr("1 bytes after the nearest"),
                    Not(HasSubstr("Host Frame"))));
  EXPECT_EQ(findings[1].what, "cuda_api_error");
  EXPECT_THAT(findings[1].meaning, HasSubstr("cudaErrorLaunchFailure (error 719)"));
}

TEST(Sanitizer, CountsAlikeErrorsAtOnePlaceOnce) {
  const auto findings = sanitizer_findings("initcheck", golden("initcheck_unset.txt"));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].what, "uninitialized_global_read");
  EXPECT_EQ(findings[0].value, 3);
  EXPECT_EQ(findings[0].where.thread, "(0,0,0)");
  EXPECT_EQ(findings[0].where.line, 4);
}

TEST(Sanitizer, ReadsRacesOfBothReports) {
  const auto analysis = sanitizer_findings("racecheck", golden("racecheck_analysis.txt"));
  ASSERT_THAT(analysis, SizeIs(1));
  EXPECT_EQ(analysis[0].what, "race");
  EXPECT_EQ(analysis[0].where.kernel, "races(float *)");
  EXPECT_EQ(analysis[0].where.line, 5);
  EXPECT_THAT(analysis[0].meaning, HasSubstr("[256 hazards]"));

  const auto hazards = sanitizer_findings("racecheck", golden("racecheck_limited.txt"));
  ASSERT_THAT(hazards, SizeIs(2));
  EXPECT_EQ(hazards[0].what, "read_after_write");
  EXPECT_EQ(hazards[0].value, 2);
  EXPECT_EQ(hazards[0].where, (Place{.kernel = "races(float *)",
                                     .file = "planted.cu",
                                     .line = 5,
                                     .address = "0x47c",
                                     .thread = "(31,0,0)",
                                     .block = "(0,0,0)"}));
  EXPECT_EQ(hazards[1].what, "errors_not_shown");
  EXPECT_EQ(total(hazards), 257);
}

TEST(Sanitizer, IsCleanOnlyWithASummaryThatCountsNone) {
  EXPECT_THAT(sanitizer_findings("memcheck", log_of("", "ERROR SUMMARY: 0 errors")), SizeIs(0));
  EXPECT_THAT(sanitizer_findings("racecheck", log_of("",
                                                     "RACECHECK SUMMARY: 0 hazards displayed "
                                                     "(0 errors, 0 warnings)")),
              SizeIs(0));
  EXPECT_THAT(refusal("synccheck", "========= COMPUTE-SANITIZER\n"),
              AllOf(HasSubstr("synccheck"), HasSubstr("without a summary")));
  EXPECT_THAT(refusal("memcheck", ""), HasSubstr("without a summary"));
  EXPECT_THAT(refusal("memcheck", "========= ERROR SUMMARY: many errors\n"),
              HasSubstr("without a summary"));
}

TEST(Sanitizer, RefusesALogThatContradictsItself) {
  const std::string error =
      "========= Invalid __shared__ read of size 4 bytes\n=========     at k()+0x10\n=========\n";
  EXPECT_THAT(refusal("memcheck", log_of(error, "ERROR SUMMARY: 0 errors")),
              HasSubstr("shows 1 errors and counts 0"));
  EXPECT_THAT(refusal("memcheck", log_of(error) + "========= ERROR SUMMARY: 0 errors\n"),
              HasSubstr("more than one summary"));
}

TEST(Sanitizer, ReportsWhatTheSummaryCountsAndTheLogLeavesOut) {
  const auto findings = sanitizer_findings("memcheck", log_of("", "ERROR SUMMARY: 7 errors"));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].what, "errors_not_shown");
  EXPECT_EQ(findings[0].value, 7);

  const std::string limited =
      log_of("========= Invalid __local__ write of size 4 bytes\n=========     at k()+0x10\n",
             "ERROR SUMMARY: 5 errors\n========= ERROR SUMMARY: 4 errors were not printed. Use "
             "--print-limit option to adjust the number of printed errors");
  EXPECT_EQ(total(sanitizer_findings("memcheck", limited)), 5);
}

TEST(Sanitizer, TakesAnUnknownLineForAnErrorWhereTheSummaryCountsOne) {
  const std::string unknown = "========= Something new went wrong\n=========     at k()+0x10\n";
  const auto counted = sanitizer_findings("synccheck", log_of(unknown));
  ASSERT_THAT(counted, SizeIs(1));
  EXPECT_EQ(counted[0].what, "other_error");
  EXPECT_EQ(counted[0].severity, Severity::error);
  const auto remark = sanitizer_findings("synccheck", log_of(unknown, "ERROR SUMMARY: 0 errors"));
  ASSERT_THAT(remark, SizeIs(1));
  EXPECT_EQ(remark[0].what, "message");
  EXPECT_EQ(remark[0].severity, Severity::info);
}

TEST(Sanitizer, AProcessThatFailedIsNotClean) {
  const auto findings = sanitizer_findings(
      "memcheck", log_of("========= Error: process didn't terminate successfully\n"
                         "========= Target application returned an error\n",
                         "ERROR SUMMARY: 0 errors"));
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].what, "process_failed");
  EXPECT_EQ(findings[0].severity, Severity::error);
}

TEST(Sanitizer, AnErrorOfTheSanitizerItselfIsNoCleanRun) {
  EXPECT_THAT(refusal("memcheck", log_of("========= Internal Sanitizer Error: The Sanitizer "
                                         "encountered an error and didn't track the launch.\n",
                                         "ERROR SUMMARY: 0 errors")),
              HasSubstr("could not look"));
}

TEST(Sanitizer, NamesTheGlobalFunctionAndThePlaceInTheOneItCalls) {
  const auto findings = sanitizer_findings(
      "memcheck", log_of("========= Invalid __global__ write of size 4 bytes\n"
                         "=========     at inner()+0xb0 in inner.cuh:39\n"
                         "=========     by thread (0,0,0) in block (0,0,0)\n"
                         "=========     Address 0x87654320 is out of bounds\n"
                         "=========         Device Frame:outer(int)+0x30 in outer.cu:44\n"));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].where.kernel, "outer(int)");
  EXPECT_EQ(findings[0].where.file, "inner.cuh");
  EXPECT_EQ(findings[0].where.line, 39);
  EXPECT_EQ(findings[0].where.address, "0x87654320");
}

TEST(Sanitizer, KeepsWarningsApartFromErrors) {
  const auto findings = sanitizer_findings(
      "racecheck",
      log_of("========= Warning: (Warp Level Programming) Potential RAW hazard detected at "
             "__shared__ 0x8c in block (0,0,0) :\n"
             "=========     Write Thread (35,0,0) at sum(int *, int *)+0x90 in sum.cu:44\n"
             "=========     Read Thread (32,0,0) at sum(int *, int *)+0x120 in sum.cu:56\n",
             "RACECHECK SUMMARY: 1 hazard displayed (0 errors, 1 warning)"));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::warning);
  EXPECT_EQ(findings[0].what, "read_after_write");
}

TEST(Sanitizer, EscapesNamesOfTheKernel) {
  const auto findings =
      sanitizer_findings("memcheck", log_of("========= Invalid __global__ read of size 4 bytes\n"
                                            "=========     at \x1b[2Jk()+0x10 in \x1b]0;x.cu:1\n"));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].where.kernel, "\\x1b[2Jk()");
  EXPECT_EQ(findings[0].where.file, "\\x1b]0;x.cu");
}

}  // namespace
}  // namespace robust_kbench
