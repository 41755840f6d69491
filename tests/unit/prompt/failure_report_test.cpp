#include "prompt/failure_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr const char* mismatch =
    "Output 'y' is not close to the reference!\n\nMismatched elements: 1 / 5 (20.0%)\n"
    "Largest errors:\n  at index (0, 3): got 0.5, expected 0.25\n"
    "/gpfs/me/rkb test --task t --kernel k.cpp --case small/a/seed_1 --nonce 0x2a";

CaseRecord case_of(const std::string& name, Judgement judgement) {
  return {.name = name, .judgement = std::move(judgement)};
}

ProposalFailure in_tests(std::vector<CaseRecord> cases) {
  const Judgement judgement = wrong_result(mismatch);
  return {"wrong_result", mismatch,
          KernelRecord{.judgement = judgement, .cases = std::move(cases)}};
}

TEST(FailureReport, TellsWhatFailedWhereAndWhatPassed) {
  ProposalFailure failure = in_tests(
      {case_of("small/a/seed_1", wrong_result(mismatch)), case_of("small/b/seed_1", passed()),
       case_of("drawn_1", {.verdict = Verdict::crash, .reason = "killed"}),
       case_of("small/c/seed_1", passed()), case_of("drawn_2", wrong_result("off")),
       case_of("drawn_3", wrong_result("off"))});
  failure.record->cases[4].asks = "drawn config drawn_2: rows 7";
  failure.record->cases_not_called = 2;
  EXPECT_EQ(failure_report(failure),
            "Of 8 cases, 4 failed and 2 passed; 2 were not called.\n\n"
            "small/a/seed_1: wrong_result\nOutput 'y' is not close to the reference!\n\n"
            "Mismatched elements: 1 / 5 (20.0%)\nLargest errors:\n"
            "  at index (0, 3): got 0.5, expected 0.25\n\n"
            "drawn_2 (drawn config drawn_2: rows 7): wrong_result\noff\n\n"
            "Failed, too: drawn_3 (wrong_result), drawn_1 (crash)\n"
            "Passed: small/b/seed_1, small/c/seed_1\n");
  EXPECT_EQ(failure_line(failure),
            "small/a/seed_1: Output 'y' is not close to the reference! Mismatched elements: 1 / 5 "
            "(20.0%) Largest errors: at index (0, 3): got 0.5, expected 0.25");
}

TEST(FailureReport, TellsOfRefusedCasesNeitherThatTheyFailedNorThatTheyPassed) {
  ProposalFailure failure =
      in_tests({case_of("a", wrong_result("off")),
                case_of("b", {.verdict = Verdict::skipped, .reason = "refused"})});
  failure.record->cases[1].refused = true;
  EXPECT_THAT(failure_report(failure), HasSubstr("Of 2 cases, 1 failed and 0 passed.\n"));
  EXPECT_THAT(failure_report(failure), Not(HasSubstr("b:")));
}

TEST(FailureReport, HasABound) {
  std::vector<CaseRecord> cases;
  for (int i = 0; i < 500; ++i) {
    cases.push_back(case_of("case_" + std::to_string(i), wrong_result(std::string(9000, 'x'))));
  }
  const std::string text = failure_report(in_tests(std::move(cases)));
  EXPECT_LT(text.size(), 5000U);
  EXPECT_THAT(text, EndsWith(" and 478 more\n"));
}

TEST(FailureReport, TellsACompilersErrorsOnce) {
  const ProposalFailure failure{
      "compile_error",
      "/gpfs/me/k.cpp:3:1: error: no x\n    3 | x;\n/gpfs/me/k.cpp:3:1: error: no x\n"};
  EXPECT_EQ(failure_report(failure), "k.cpp:3: no x\n    x;\n");
  EXPECT_EQ(failure_line(failure), "k.cpp:3: no x");
}

TEST(FailureReport, TellsTheReasonWhereNoCaseFailed) {
  EXPECT_EQ(failure_report({"slower", "0.90x over 3 configs"}), "0.90x over 3 configs");
  EXPECT_EQ(failure_line({"frozen", "a region\nwas  changed"}), "a region was changed");
  EXPECT_EQ(failure_report({"crash", mismatch, KernelRecord{}}).find("--nonce"), std::string::npos);
}

}  // namespace
}  // namespace robust_kbench
