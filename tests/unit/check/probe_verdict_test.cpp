#include "check/probe_verdict.hpp"

#include "examine_adding.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Case of_probe(Probe probe) {
  Case probed = adding_cases(1).front();
  probed.probe = probe;
  return probed;
}

std::vector<CaseRecord> examine_task_cases(const Task& task, const std::string& script,
                                           const std::vector<Case>& cases,
                                           const ExamineOptions& options = adding_options()) {
  return examine(task, {.task = task.name}, script, cases, options);
}

TEST(ProbeVerdict, SaysWhatIsAsked) {
  const CaseRecord record =
      examine_task_cases(adding_task(), "wrong", {of_probe(Probe::inputs_around_100)}).at(0);
  EXPECT_EQ(record.name, "inputs_around_100/small/rows_1");
  EXPECT_EQ(record.judgement.verdict, Verdict::wrong_result);
  EXPECT_THAT(record.asks, HasSubstr("probe inputs_around_100/small/rows_1: Is the result"));
  EXPECT_THAT(record.judgement.reason, HasSubstr("Mismatched elements: 1 / 5"));
}

TEST(ProbeVerdict, NotesWrongNumbersForNanAndInfinity) {
  const Case probe = of_probe(Probe::nan_and_infinity);
  const CaseRecord noted = examine_task_cases(adding_task(), "wrong", {probe}).at(0);
  EXPECT_EQ(noted.judgement.verdict, Verdict::pass);
  EXPECT_THAT(noted.judgement.reason, HasSubstr("noted"));
  EXPECT_THAT(examine_task_cases(adding_task(), "right", {probe}).at(0).judgement.reason,
              IsEmpty());
  ExamineOptions strict = adding_options();
  strict.require_shapes = true;
  EXPECT_EQ(examine_task_cases(adding_task(), "throws", {probe}, strict).at(0).judgement.verdict,
            Verdict::exception);
  Task choosing = adding_task();
  choosing.domain = Domain{.chooses_among_inputs = true};
  EXPECT_EQ(examine_task_cases(choosing, "wrong", {probe}).at(0).judgement.verdict,
            Verdict::wrong_result);
}

TEST(ProbeVerdict, ComesAfterAllListedCases) {
  std::vector<Case> cases = adding_cases(1, 2);
  cases.insert(cases.begin(), of_probe(Probe::ties));
  std::vector<std::string> called;
  ExamineOptions options = adding_options();
  options.on_case = [&](const CaseRecord& record) { called.push_back(record.name); };
  examine_task_cases(adding_task(), "right", cases, options);
  EXPECT_THAT(called,
              ElementsAre("small/rows_1/seed_1", "small/rows_2/seed_1", "ties/small/rows_1"));
}

TEST(ProbeVerdict, IsOfTheSequenceToo) {
  const Task task = adding_task();
  const auto sequence = [&](Probe probe) {
    return examine_sequence(task, {.task = task.name}, "wrong", {of_probe(probe)}, adding_options())
        .judgement;
  };
  EXPECT_EQ(sequence(Probe::ties).verdict, Verdict::wrong_result);
  EXPECT_THAT(sequence(Probe::ties).reason,
              HasSubstr("probe ties/small/rows_1: Are equal elements"));
  EXPECT_EQ(sequence(Probe::nan_and_infinity).verdict, Verdict::pass);
}

}  // namespace
}  // namespace robust_kbench
