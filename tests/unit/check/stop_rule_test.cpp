#include "check/stop_rule.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

std::vector<CaseRecord> cases(std::initializer_list<Verdict> verdicts) {
  std::vector<CaseRecord> records;
  for (const Verdict verdict : verdicts) records.push_back({.judgement = {.verdict = verdict}});
  return records;
}

constexpr Verdict pass = Verdict::pass;
constexpr Verdict wrong = Verdict::wrong_result;
constexpr Verdict timeout = Verdict::timeout;
constexpr Verdict out_of_memory = Verdict::out_of_memory;

TEST(StopRule, EndsTheCasesWithTheThirdFailureOfAnyKind) {
  EXPECT_TRUE(calls_next_case({}, {}));
  EXPECT_TRUE(calls_next_case(cases({wrong, pass, wrong, pass}), {}));
  EXPECT_FALSE(calls_next_case(cases({wrong, pass, Verdict::crash, Verdict::cheat}), {}));
}

TEST(StopRule, DoesNotCountRefusals) {
  std::vector<CaseRecord> records = cases({Verdict::skipped, Verdict::skipped, Verdict::skipped});
  for (CaseRecord& record : records) record.refused = true;
  EXPECT_TRUE(calls_next_case(records, {}));
  EXPECT_TRUE(calls_sequence(records, {}));
}

TEST(StopRule, CallsNoSequenceOfAKernelThatFailedThreeTimes) {
  EXPECT_TRUE(calls_sequence(cases({wrong, pass, wrong}), {}));
  EXPECT_FALSE(calls_sequence(cases({wrong, wrong, wrong}), {}));
}

TEST(StopRule, CallsTheSequenceOfAKernelThatIsNondeterministicSoFar) {
  constexpr Verdict nondeterministic = Verdict::nondeterministic;
  const auto failed = cases({nondeterministic, nondeterministic, nondeterministic});
  EXPECT_FALSE(calls_next_case(failed, {}));
  EXPECT_TRUE(calls_sequence(failed, {}));
  EXPECT_FALSE(calls_sequence(cases({nondeterministic, wrong, nondeterministic}), {}));
}

TEST(StopRule, GoesOnWhereAllCasesAreAskedFor) {
  const ExamineOptions all{.all_cases = true};
  EXPECT_TRUE(calls_next_case(cases({wrong, wrong, wrong}), all));
  EXPECT_TRUE(calls_sequence(cases({wrong, wrong, wrong}), all));
}

TEST(StopRule, EndsWithTheSecondCostlyCaseWhateverIsAskedFor) {
  for (const bool all_cases : {false, true}) {
    const ExamineOptions options{.all_cases = all_cases};
    EXPECT_TRUE(calls_next_case(cases({timeout}), options));
    EXPECT_FALSE(calls_sequence(cases({timeout}), options));
    EXPECT_FALSE(calls_next_case(cases({timeout, timeout}), options));
  }
}

TEST(StopRule, TakesLackOfMemoryForCostlyOnAGpu) {
  const std::vector<CaseRecord> failed = cases({out_of_memory, out_of_memory});
  EXPECT_TRUE(calls_next_case(failed, {}));
  EXPECT_FALSE(calls_next_case(failed, {.worker = {.gpu = true}}));
}

}  // namespace
}  // namespace robust_kbench
