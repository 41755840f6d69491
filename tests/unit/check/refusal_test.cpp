#include "check/refusal.hpp"

#include "check/batch.hpp"
#include "examine_adding.hpp"
#include "tensor/generator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::StartsWith;

Case drawn(std::int64_t rows) {
  return {.config = {.set = ConfigSet::drawn, .name = "drawn_1", .params = {{"rows", rows}}},
          .seed = 1};
}

CaseRecord on_drawn(const std::string& script, bool require_shapes = false) {
  const Task task = adding_task();
  ExamineOptions options = adding_options();
  options.require_shapes = require_shapes;
  return examine(task, {.task = task.name}, script, {drawn(2)}, options).at(0);
}

CaseRecord in_sequence(const std::string& script) {
  const Task task = adding_task();
  std::vector<Case> cases = adding_cases(2);
  cases.push_back(drawn(2));
  return examine_sequence(task, {.task = task.name}, script, cases, adding_options());
}

TEST(MayRefuse, WhatIsOutsideOfTheUsualSetOfItsDevice) {
  const Case small = adding_cases(1).at(0);
  Case multi = small;
  multi.config.set = ConfigSet::multi;
  Case probe = multi;
  probe.probe = Probe::ties;
  for (const Device device : {Device::cpu, Device::cuda}) {
    EXPECT_TRUE(may_refuse(drawn(2), device));
    EXPECT_TRUE(may_refuse(probe, device));
    EXPECT_FALSE(may_refuse(multi, device));
  }
  EXPECT_FALSE(may_refuse(small, Device::cpu));
  EXPECT_TRUE(may_refuse(small, Device::cuda));
}

TEST(Refusal, IsAnExceptionInADrawnConfig) {
  for (const char* script : {"throws at once", "throws", "lacks memory"}) {
    const CaseRecord record = on_drawn(script);
    EXPECT_TRUE(record.refused) << script;
    EXPECT_EQ(to_string(record.judgement.verdict), "skipped");
    EXPECT_THAT(record.judgement.reason, StartsWith("refused: the kernel "));
  }
}

TEST(Refusal, IsNoneWhereShapesAreRequired) {
  const CaseRecord record = on_drawn("throws at once", /*require_shapes=*/true);
  EXPECT_FALSE(record.refused);
  EXPECT_EQ(record.judgement.verdict, Verdict::exception);
}

TEST(Refusal, IsNoneInAListedConfig) {
  EXPECT_FALSE(examine_adding("throws at once").at(0).refused);
}

TEST(Refusal, IsNoneOnceTheConfigWasComputed) {
  const CaseRecord record = on_drawn("throws in call 2");
  EXPECT_FALSE(record.refused);
  EXPECT_EQ(record.judgement.verdict, Verdict::exception);
}

TEST(Refusal, DoesNotExcuseWritesToInputs) {
  const CaseRecord record = on_drawn("writes x and throws");
  EXPECT_FALSE(record.refused);
  EXPECT_EQ(record.judgement.cheat_class, CheatClass::input_mutation);
}

TEST(Refusal, DoesNotExcuseWrongResults) {
  EXPECT_EQ(on_drawn("wrong").judgement.verdict, Verdict::wrong_result);
}

TEST(Refusal, OfOneConfigLeavesTheRestOfASequence) {
  const CaseRecord record = in_sequence("refuses two rows");
  EXPECT_EQ(to_string(record.judgement.verdict), "pass") << record.judgement.reason;
  EXPECT_FALSE(record.refused);
  EXPECT_GT(record.calls, 20);
}

TEST(Refusal, OfAConfigThatWasComputedFailsASequence) {
  EXPECT_EQ(in_sequence("refuses two rows from call 20 on").judgement.verdict, Verdict::exception);
}

TEST(Refusal, OfDataOnAComputedShapeIsAnException) {
  const Task task = adding_task();
  Case probe = adding_cases(1).at(0);
  probe.config.name = "single/the_same_rows";
  probe.probe = Probe::inputs_times_1000;
  const std::vector<CaseRecord> records =
      examine(task, {.task = task.name}, "throws from call 4 on", {adding_cases(1).at(0), probe},
              adding_options());
  EXPECT_TRUE(records.at(0).judgement.passes()) << records.at(0).judgement.reason;
  EXPECT_FALSE(records.at(1).refused);
  EXPECT_EQ(records.at(1).judgement.verdict, Verdict::exception);
}

TEST(Refusals, AreAnExceptionOnAShapeThatWasComputedBeforeOrIsAfter) {
  const Judgement thrown{.verdict = Verdict::exception, .reason = "not these rows"};
  const Params some{{"rows", std::int64_t{1}}};
  const Params other{{"rows", std::int64_t{2}}};
  Refusals refusals;
  EXPECT_FALSE(refusals.computed(some));
  EXPECT_FALSE(refusals.refused(other, thrown));
  EXPECT_EQ(refusals.refused(some, thrown)->verdict, Verdict::exception);
  EXPECT_EQ(refusals.computed(other)->verdict, Verdict::exception);
  EXPECT_EQ(refusals.latest()->verdict, Verdict::skipped);
}

TEST(Batch, IsUntouchedAfterACallThatWroteNothing) {
  const Task task = adding_task();
  for (const auto& [script, untouched] :
       {std::pair("throws at once", true), std::pair("throws", false)}) {
    WorkerProcess worker(adding_options().worker);
    ASSERT_TRUE(std::holds_alternative<Loaded>(worker.load({script, "forward"})));
    const Workload workload{task, Direction::forward, {{"rows", std::int64_t{2}}}};
    Batch batch(worker, workload);
    const Tensors tensors = make_tensors(workload, 1);
    batch.place({&tensors, 1});
    answer_of(batch.prepare());
    ASSERT_TRUE(std::holds_alternative<Judgement>(batch.run()));
    EXPECT_EQ(batch.is_untouched(), untouched) << script;
  }
}

}  // namespace
}  // namespace robust_kbench
