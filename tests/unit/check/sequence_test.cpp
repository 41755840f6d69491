#include "check/examiner.hpp"
#include "examine_adding.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

CaseRecord sequence(const std::string& script, std::uint64_t seeds, std::int64_t configs) {
  const Task task = adding_task();
  return examine_sequence(task, {.task = task.name}, script, adding_cases(seeds, configs),
                          adding_options());
}

TEST(Sequence, MakesFortyCallsOfFewCases) {
  const CaseRecord record = sequence("right", 2, 3);
  EXPECT_EQ(record.name, "sequence");
  EXPECT_EQ(to_string(record.judgement.verdict), "pass") << record.judgement.reason;
  EXPECT_EQ(record.calls, 40 + 3) << "each config once more with other threads";
}

TEST(Sequence, CallsEveryOneOfManyCasesAndAQuarterMore) {
  EXPECT_EQ(sequence("right", 10, 5).calls, 62 + 5);
}

TEST(Sequence, CatchesAKernelThatNeedsItsNumberOfThreads) {
  const CaseRecord record = sequence("wrong with other threads than 1", 2, 2);
  EXPECT_EQ(record.judgement.verdict, Verdict::wrong_result);
  EXPECT_THAT(record.judgement.reason, HasSubstr(" threads in place of 1: small/rows_"));
}

TEST(Sequence, MeasuresTheAlignmentThatAKernelNeeds) {
  EXPECT_EQ(sequence("right", 2, 2).needs_alignment, std::nullopt);
  const CaseRecord record = sequence("wrong where inputs are shifted by less than 16", 2, 2);
  EXPECT_EQ(to_string(record.judgement.verdict), "pass") << record.judgement.reason;
  EXPECT_EQ(record.needs_alignment, 16);
}

// A task with two choices, of which the second doubles nothing.
Task choosing_task() {
  Task task = adding_task();
  task.defaults.set("doubled", false);
  task.shapes =
      Shapes{.sizes = {{"rows", 1, 9}},
             .choices = {{"rows", {std::int64_t{7}, std::int64_t{8}}}, {"doubled", {false, true}}}};
  return task;
}

TEST(Sequence, CallsEveryCombinationOfChoicesBesideDrawnConfigs) {
  const Task task = choosing_task();
  const auto calls = [&](ConfigSet set) {
    const Case only{.config = {.set = set, .name = "a", .params = task.defaults}, .seed = 1};
    return examine_sequence(task, {.task = task.name}, "right", {only}, adding_options()).calls;
  };
  EXPECT_EQ(calls(ConfigSet::small), 40 + 1);
  EXPECT_EQ(calls(ConfigSet::drawn), 40 + 4 + 1);
}

TEST(Sequence, CatchesAKernelThatIsWrongForTheGreatestAllowedSizeAlone) {
  Task task = adding_task();
  task.shapes = Shapes{.sizes = {{"rows", 1, 9}}};
  const auto judged = [&](const std::string& script) {
    const Case only{.config = {.set = ConfigSet::drawn, .name = "a", .params = task.defaults},
                    .seed = 1};
    return examine_sequence(task, {.task = task.name}, script, {only}, adding_options()).judgement;
  };
  EXPECT_EQ(to_string(judged("wrong for more than 9 rows").verdict), "pass");
  const Judgement wrong = judged("wrong for more than 8 rows");
  EXPECT_EQ(wrong.verdict, Verdict::wrong_result);
  EXPECT_THAT(wrong.reason, HasSubstr(": longest_1"));
}

TEST(Sequence, CatchesACounter) {
  const CaseRecord record = sequence("right for 12 calls", 2, 2);
  EXPECT_EQ(record.judgement.verdict, Verdict::wrong_result);
  EXPECT_EQ(record.calls, 13);
  EXPECT_THAT(record.judgement.reason, HasSubstr("in call 13 of 40"));
}

TEST(Sequence, CatchesAnswersKeptByAddress) {
  EXPECT_EQ(sequence("by address", 2, 2).judgement.verdict, Verdict::wrong_result);
}

// There are 40 calls of 500 elements, nine of which give the 4096 that are judged.
TEST(Sequence, JudgesThePrecisionOfAllCallsOnAConfig) {
  const Task task = measured_adding_task();
  const Case only{.config = {.name = "small/a", .params = {{"rows", std::int64_t{100}}}},
                  .seed = 1};
  const CaseRecord record =
      examine_sequence(task, {.task = task.name}, "imprecise", {only}, adding_options());
  EXPECT_EQ(record.judgement.verdict, Verdict::wrong_result);
  EXPECT_EQ(record.calls, 9);
  EXPECT_THAT(record.judgement.reason, HasSubstr("less precise than float32"));
}

TEST(Sequence, TakesADeathAsItsEnd) {
  const CaseRecord record = sequence("dies in call 4", 2, 2);
  EXPECT_EQ(record.judgement.verdict, Verdict::crash);
  EXPECT_EQ(record.calls, 4);
}

}  // namespace
}  // namespace robust_kbench
