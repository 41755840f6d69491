#include "check/examiner.hpp"

#include <algorithm>
#include <filesystem>

#include "examine_adding.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

struct Expected {
  const char* script;
  Verdict verdict;
  CheatClass cheat_class;
  const char* reason;
};

void PrintTo(const Expected& expected, std::ostream* out) {
  *out << expected.script;
}

class Examine : public testing::TestWithParam<Expected> {};

TEST_P(Examine, GivesTheVerdict) {
  const auto [script, verdict, cheat_class, reason] = GetParam();
  const CaseRecord record = examine_adding(script).at(0);
  EXPECT_EQ(to_string(record.judgement.verdict), to_string(verdict)) << record.judgement.reason;
  EXPECT_EQ(to_string(record.judgement.cheat_class), to_string(cheat_class));
  EXPECT_THAT(record.judgement.reason, HasSubstr(reason));
}

constexpr CheatClass none = CheatClass::none;

INSTANTIATE_TEST_SUITE_P(
    Results, Examine,
    testing::Values(
        Expected{"right", Verdict::pass, none, ""},
        Expected{"a little off in call 3", Verdict::pass, none, ""},
        Expected{"wrong", Verdict::wrong_result, none, "Mismatched elements: 1 / 5"},
        Expected{"wrong in call 3", Verdict::nondeterministic, none, "one is right and one is"},
        Expected{"off to both sides", Verdict::nondeterministic, none, "differ by more than"},
        Expected{"by address", Verdict::wrong_result, none, "other content at the same addresses"},
        Expected{"points outside", Verdict::wrong_result, none, "Output 0 lies outside"},
        Expected{"points at poison", Verdict::wrong_result, none, "Output 0 lies outside"},
        Expected{"points nowhere", Verdict::wrong_result, none, "Output 0 lies outside"},
        Expected{"has no size", Verdict::wrong_result, none, "impossible sizes"}));

INSTANTIATE_TEST_SUITE_P(
    Failures, Examine,
    testing::Values(
        Expected{"throws", Verdict::exception, none, "the kernel threw: [  PASSED  ]"},
        Expected{"exits", Verdict::load_error, none, "exited with code 0 while it was loaded"},
        Expected{"takes one argument", Verdict::load_error, none,
                 "the kernel takes 1 arguments, forward(x: tensor); the task calls it with 2, "
                 "forward(x: tensor, w: tensor)"}));

INSTANTIATE_TEST_SUITE_P(
    Cheats, Examine,
    testing::Values(
        Expected{"writes x", Verdict::cheat, CheatClass::input_mutation,
                 "input 'x': element (0, 1)"},
        Expected{"wrong and writes x in call 2", Verdict::cheat, CheatClass::input_mutation,
                 "input 'x': element (0, 1)"},
        Expected{"writes past y", Verdict::cheat, CheatClass::out_of_bounds_write,
                 "9 bytes past the end of a tensor of 20 bytes"},
        Expected{"writes before x", Verdict::cheat, CheatClass::out_of_bounds_write,
                 "4 bytes before input 'x' of 20 bytes"},
        Expected{"forges the log", Verdict::cheat, CheatClass::out_of_bounds_write, "allocator"},
        Expected{"forges the count", Verdict::cheat, CheatClass::out_of_bounds_write, "allocator"},
        Expected{"returns x", Verdict::cheat, CheatClass::input_as_output, "memory of an input"},
        Expected{"spoils later", Verdict::cheat, CheatClass::late_write, "after it had returned"},
        Expected{"blinds the output_sample", Verdict::cheat, CheatClass::late_write,
                 "after it had returned"},
        Expected{"spoils from an idle thread", Verdict::cheat, CheatClass::late_write, "after"},
        Expected{"leaves a child", Verdict::cheat, CheatClass::left_process, "left 1 process"},
        Expected{"leaves a daemon", Verdict::cheat, CheatClass::left_process, "left"}));

TEST(ExamineRecord, TellsWhatWasMeasured) {
  const CaseRecord record = examine_adding("right").at(0);
  EXPECT_EQ(record.name, "small/rows_1/seed_1");
  EXPECT_EQ(record.calls, 3);
  EXPECT_TRUE(record.bitwise_repeatable);
  ASSERT_EQ(record.errors.size(), 1U);
  EXPECT_EQ(record.errors[0].name, "y");
  EXPECT_EQ(record.errors[0].max_abs, record.errors[0].eager_max_abs);
  EXPECT_GT(record.kernel_seconds, 0);
  EXPECT_GE(record.total_seconds, record.kernel_seconds);
}

TEST(ExamineRecord, ShowsWhatAWrongElementIsAndShouldBe) {
  const Judgement judgement = examine_adding("wrong").at(0).judgement;
  ASSERT_EQ(judgement.examples.size(), 1U);
  const Example& example = judgement.examples[0];
  EXPECT_EQ(example.output, "y");
  EXPECT_EQ(example.index.size(), 2U);
  EXPECT_NE(example.actual, example.expected);
  EXPECT_THAT(judgement.reason, HasSubstr(to_text(example)));
  EXPECT_TRUE(examine_adding("right").at(0).judgement.examples.empty());
}

TEST(ExamineRecord, HasWhatAFailingKernelPrinted) {
  EXPECT_EQ(examine_adding("prints and is wrong").at(0).judgement.output, "row 1\nhalf a row");
  EXPECT_EQ(examine_adding("prints").at(0).judgement.output, "");
  ExamineOptions options = adding_options();
  options.output_of_all = true;
  const auto records = examine_adding("prints", 2, options);
  for (const CaseRecord& record : records) {
    EXPECT_EQ(record.judgement.output, "call 1\ncall 2\ncall 3") << record.name;
  }
}

TEST(ExamineRecord, RecordsADifferenceInBits) {
  const CaseRecord record = examine_adding("a little off in call 3").at(0);
  EXPECT_FALSE(record.bitwise_repeatable);
  EXPECT_EQ(record.judgement.verdict, Verdict::pass);
}

TEST(ExamineRecord, SaysHowToReplay) {
  ExamineOptions options = adding_options();
  options.replay_command = "rkb test --task adding --direction forward --kernel k";
  const std::string reason = examine_adding("wrong", 1, options).at(0).judgement.reason;
  EXPECT_THAT(reason, EndsWith("\nrkb test --task adding --direction forward --kernel k "
                               "--case small/rows_1/seed_1 --nonce 0x2a"));
}

// Each of three calls has 500 elements, so the third case completes the 4096 that are judged.
TEST(ExaminePrecision, IsThatOfAllCallsOnAConfig) {
  const Task task = measured_adding_task();
  std::vector<Case> cases;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    cases.push_back(
        {.config = {.name = "small/a", .params = {{"rows", std::int64_t{100}}}}, .seed = seed});
  }
  const auto records = examine(task, {.task = task.name}, "imprecise", cases, adding_options());
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[0].judgement.verdict, Verdict::pass) << records[0].judgement.reason;
  EXPECT_EQ(records[1].judgement.verdict, Verdict::pass) << records[1].judgement.reason;
  EXPECT_EQ(records[2].judgement.verdict, Verdict::wrong_result);
  EXPECT_THAT(records[2].judgement.reason, HasSubstr("the errors of 4500 elements: 3e-06"));
  EXPECT_NEAR(records[0].errors.at(0).rms, 3e-6, 1e-7);
  EXPECT_LT(records[0].errors.at(0).rms_limit.value(), 2e-6);
  EXPECT_EQ(records[0].errors.at(0).max_abs_limit, 1e-5);
}

TEST(ExaminePrecision, OfARightKernelPasses) {
  const Task task = measured_adding_task();
  const Case large{.config = {.name = "small/a", .params = {{"rows", std::int64_t{300}}}},
                   .seed = 1};
  const auto records = examine(task, {.task = task.name}, "right", {large}, adding_options());
  EXPECT_EQ(records.at(0).judgement.verdict, Verdict::pass) << records.at(0).judgement.reason;
}

// Both configs have the same size, and neither has enough elements alone.
TEST(ExaminePrecision, IsJudgedByConfig) {
  const Task task = measured_adding_task();
  std::vector<Case> cases;
  for (const std::int64_t rows : {130, 140}) {
    cases.push_back(
        {.config = {.name = "small/" + std::to_string(rows), .params = {{"rows", rows}}},
         .seed = 1});
  }
  for (const CaseRecord& record :
       examine(task, {.task = task.name}, "imprecise", cases, adding_options())) {
    EXPECT_EQ(record.judgement.verdict, Verdict::pass) << record.judgement.reason;
  }
}

std::vector<std::string> names_of(const std::vector<CaseRecord>& records) {
  std::vector<std::string> names;
  for (const CaseRecord& record : records) names.push_back(record.name);
  return names;
}

std::vector<CaseRecord> examine_cases(const std::string& script, const std::vector<Case>& cases,
                                      const ExamineOptions& options = adding_options()) {
  const Task task = adding_task();
  return examine(task, {.task = task.name}, script, cases, options);
}

std::vector<Case> largest_first() {
  std::vector<Case> cases = adding_cases(2, 2);
  std::reverse(cases.begin(), cases.end());
  return cases;
}

TEST(ExamineOrder, CallsTheCheapestFirstAndRecordsAsListed) {
  std::vector<std::string> called;
  ExamineOptions options = adding_options();
  options.on_case = [&](const CaseRecord& record) { called.push_back(record.name); };
  const auto records = examine_cases("right", largest_first(), options);
  EXPECT_THAT(called, ElementsAre("small/rows_1/seed_2", "small/rows_1/seed_1",
                                  "small/rows_2/seed_2", "small/rows_2/seed_1"));
  EXPECT_THAT(names_of(records), ElementsAre("small/rows_2/seed_2", "small/rows_2/seed_1",
                                             "small/rows_1/seed_2", "small/rows_1/seed_1"));
}

TEST(ExamineOrder, EndsWithTheThirdFailure) {
  EXPECT_THAT(names_of(examine_cases("wrong", largest_first())),
              ElementsAre("small/rows_2/seed_2", "small/rows_1/seed_2", "small/rows_1/seed_1"));
}

TEST(ExamineOrder, HasNoEndBeforeTheLastOfAllCases) {
  ExamineOptions options = adding_options();
  options.all_cases = true;
  EXPECT_EQ(examine_cases("wrong", largest_first(), options).size(), 4U);
}

// A finding at the end of a worker belongs to the last case in which the worker was called.
TEST(ExamineOrder, LooksAtTheEndOfAWorkerAfterTheThirdFailure) {
  const auto records = examine_adding("wrong and leaves a daemon at its end", 4);
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(to_string(records.at(1).judgement.verdict), "wrong_result");
  EXPECT_EQ(records.at(2).judgement.cheat_class, CheatClass::left_process)
      << records.at(2).judgement.reason;
}

TEST(ExamineDeath, CostsItsCaseAlone) {
  std::vector<std::string> verdicts;
  ExamineOptions options = adding_options();
  options.on_case = [&](const CaseRecord& c) {
    verdicts.emplace_back(to_string(c.judgement.verdict));
  };
  const auto records = examine_adding("dies in call 4", 4, options);
  // A worker's fourth call is the first one of its second case. The next case gets a new worker.
  EXPECT_THAT(verdicts, ElementsAre("pass", "crash", "pass", "crash"));
  EXPECT_THAT(records.at(1).judgement.reason,
              HasSubstr("exited with code 77 in the middle of a call"));
}

TEST(ExamineDeath, WhereInputsEndAtUnmappedPagesIsAReadPastTheirEnd) {
  const std::vector<CaseRecord> records =
      examine_adding("dies where inputs end at unmapped pages", 2);
  EXPECT_EQ(records.at(0).judgement.verdict, Verdict::crash);
  EXPECT_EQ(records.at(0).calls, 3);
  EXPECT_THAT(records.at(0).judgement.reason,
              StartsWith("the kernel reads past the end of an input"));
  EXPECT_TRUE(records.at(1).judgement.passes()) << "one case of a config asks";
}

TEST(ExamineDeath, ByHangingIsTheEndTheSecondTime) {
  ExamineOptions options = adding_options();
  options.worker.limits.call_timeout = std::chrono::seconds{1};
  options.all_cases = true;
  const auto records = examine_adding("hangs", 4, options);
  ASSERT_EQ(records.size(), 2U);
  for (const CaseRecord& record : records) {
    EXPECT_EQ(record.judgement.verdict, Verdict::timeout);
    EXPECT_THAT(record.judgement.reason, HasSubstr("gave no answer within 1 s"));
  }
}

// Kernels whose worker is killed, as happens if the machine has no memory left.
class ExamineKilled : public testing::Test {
 protected:
  [[nodiscard]] std::vector<CaseRecord> examine(const std::string& moment,
                                                std::uint64_t cases = 1) const {
    return examine_adding(moment + ", see " + m_file, cases);
  }
  [[nodiscard]] std::uintmax_t kills() const { return std::filesystem::file_size(m_file); }

 private:
  TemporaryDirectory m_directory{"killed"};
  std::string m_file = m_directory.path() / "kills";
};

TEST_F(ExamineKilled, RunsTheCaseOnceMore) {
  EXPECT_EQ(examine("is killed once").at(0).judgement.verdict, Verdict::pass);
  EXPECT_EQ(kills(), 1U);
}

TEST_F(ExamineKilled, LoadsTheKernelOnceMore) {
  EXPECT_EQ(examine("is killed once while loaded").at(0).judgement.verdict, Verdict::pass);
  EXPECT_EQ(kills(), 1U);
}

TEST_F(ExamineKilled, IsOutOfMemoryTheSecondTime) {
  for (const CaseRecord& record : examine("is killed", 3)) {
    EXPECT_EQ(record.judgement.verdict, Verdict::out_of_memory);
    EXPECT_THAT(record.judgement.reason, HasSubstr("killed by SIGKILL in the middle of a call"));
  }
  EXPECT_EQ(kills(), 4U);  // once a case is killed even alone, others are tried only once
}

TEST(ExamineDeath, InLoadIsTheSameForEveryCase) {
  for (const CaseRecord& record : examine_adding("exits", 3)) {
    EXPECT_EQ(record.judgement.verdict, Verdict::load_error);
    EXPECT_EQ(record.calls, 0);
  }
}

}  // namespace
}  // namespace robust_kbench
