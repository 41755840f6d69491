#include "check/examiner.hpp"
#include "examine_adding.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

constexpr int sequence_calls = 41;

ExamineOptions repeating(std::size_t calls) {
  ExamineOptions options = adding_options();
  options.repeated_calls = calls;
  options.repeated_calls_time = std::chrono::minutes{10};
  return options;
}

CaseRecord repeated(const std::string& script, const ExamineOptions& options,
                    std::int64_t configs = 1) {
  const Task task = measured_adding_task();
  return examine_sequence(task, {.task = task.name}, script, adding_cases(2, configs), options);
}

TEST(RepeatedCalls, AreAsManyAsWantedAndThoseOfTheSequence) {
  const CaseRecord record = repeated("right", repeating(1300));
  EXPECT_EQ(to_string(record.judgement.verdict), "pass") << record.judgement.reason;
  EXPECT_EQ(record.calls, 1300 + sequence_calls);
  EXPECT_EQ(record.judgement.reason, "");
}

TEST(RepeatedCalls, FindOneWrongCallOfMany) {
  const CaseRecord record = repeated("wrong in every 500th call", repeating(1300));
  EXPECT_EQ(record.judgement.verdict, Verdict::nondeterministic);
  EXPECT_THAT(record.judgement.reason, HasSubstr("in call 500 of 1300 of small/rows_1"));
}

TEST(RepeatedCalls, FindAKernelThatIsWrongFromSomeCallOn) {
  const CaseRecord record = repeated("wrong from call 700 on", repeating(1300));
  EXPECT_EQ(record.judgement.verdict, Verdict::wrong_result);
  EXPECT_THAT(record.judgement.reason, HasSubstr(" of 1300 of small/rows_1"));
}

// One call of eight equals the previous one except for a part of one tensor.
TEST(RepeatedCalls, FindAKernelThatKnowsCallsByTheirFirstElements) {
  const CaseRecord record = repeated("by first elements", repeating(500));
  EXPECT_EQ(record.judgement.verdict, Verdict::wrong_result);
  EXPECT_THAT(record.judgement.reason, HasSubstr(" of 500 of small/rows_1"));
}

TEST(RepeatedCalls, EndWithTheFirstException) {
  const CaseRecord record = repeated("throws in call 700", repeating(1300));
  EXPECT_EQ(record.judgement.verdict, Verdict::exception);
  EXPECT_THAT(record.judgement.reason, HasSubstr("no more"));
}

TEST(RepeatedCalls, JudgeThePrecisionOfAll) {
  const CaseRecord record = repeated("imprecise", repeating(1300));
  EXPECT_EQ(record.judgement.verdict, Verdict::wrong_result);
  EXPECT_THAT(record.judgement.reason, HasSubstr("less precise than float32"));
  EXPECT_THAT(record.judgement.reason, HasSubstr("calls of small/rows_1"));
}

// A larger config has too few elements in its own cases.
TEST(RepeatedCalls, JudgeThePrecisionOfALargerConfigToo) {
  const CaseRecord record = repeated("imprecise in larger configs", repeating(500), 2);
  EXPECT_EQ(record.judgement.verdict, Verdict::wrong_result);
  EXPECT_THAT(record.judgement.reason, HasSubstr("in 410 calls of small/rows_2"));
}

// A batch of 500 such calls would take 15 s. Each call takes at least 30 ms, so two fit.
TEST(RepeatedCalls, PutNoMoreSlowCallsIntoABatchThanFit) {
  ExamineOptions options = repeating(1300);
  options.repeated_calls_time = std::chrono::milliseconds{75};
  const CaseRecord record = repeated("takes 30 ms", options);
  EXPECT_EQ(to_string(record.judgement.verdict), "pass") << record.judgement.reason;
  EXPECT_LE(record.calls, 2 + sequence_calls);
}

TEST(RepeatedCalls, SayWhereFewerThanWantedFitIntoTheirTime) {
  ExamineOptions options = repeating(1300);
  options.repeated_calls_time = std::chrono::milliseconds{0};
  const CaseRecord record = repeated("right", options);
  EXPECT_EQ(to_string(record.judgement.verdict), "pass") << record.judgement.reason;
  EXPECT_EQ(record.calls, 1 + sequence_calls);
  EXPECT_EQ(record.judgement.reason, "1 calls of small/rows_1 fit into 0 s, 1300 were wanted");
}

}  // namespace
}  // namespace robust_kbench
