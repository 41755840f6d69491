#include "evaluate/synchronisation_check.hpp"

#include "core/cancelled.hpp"
#include "core/error.hpp"
#include <robust_kbench/task.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

ToolFinding finding(const std::string& what, Severity severity) {
  return {.tool = "racecheck",
          .what = what,
          .value = 1,
          .unit = "errors",
          .severity = severity,
          .meaning = "of " + what,
          .where = {.kernel = "sum_kernel", .file = "sum.cu", .line = 12}};
}

CaseRecord record_of(std::vector<ToolFinding> findings, std::optional<InspectionEnd> end = {}) {
  return record_of_log(
      "racecheck", [&] { return ToolLog{.findings = std::move(findings), .end = std::move(end)}; });
}

TEST(SynchronisationCheck, PassesAKernelWithoutFindings) {
  const CaseRecord record = record_of({});
  EXPECT_EQ(record.name, "sanitize/racecheck");
  EXPECT_TRUE(record.judgement.passes());
  EXPECT_EQ(record.judgement.reason, "");
}

TEST(SynchronisationCheck, CallsARaceUnsafe) {
  const CaseRecord record = record_of({finding("race", Severity::error)});
  EXPECT_EQ(record.judgement.verdict, Verdict::unsafe);
  EXPECT_THAT(record.judgement.reason, HasSubstr("race: of race\n  in sum_kernel at sum.cu:12"));
}

TEST(SynchronisationCheck, CallsAnAccessThatMemcheckFindsUnsafe) {
  for (const char* access : {"invalid_global_read", "invalid_global_write", "invalid_shared_read",
                             "invalid_local_access", "device_heap_error"}) {
    EXPECT_EQ(record_of({finding(access, Severity::error)}).judgement.verdict, Verdict::unsafe)
        << access;
  }
  for (const char* remark : {"leak", "cuda_api_error"}) {
    EXPECT_TRUE(record_of({finding(remark, Severity::error)}).judgement.passes()) << remark;
  }
}

TEST(SynchronisationCheck, NotesWarningsAndInstructionsThatTheToolDoesNotKnow) {
  const CaseRecord record = record_of(
      {finding("write_after_read", Severity::warning), finding("message", Severity::info)});
  EXPECT_TRUE(record.judgement.passes());
  EXPECT_THAT(record.judgement.reason, HasSubstr("write_after_read: "));
  EXPECT_THAT(record.judgement.reason, HasSubstr("message: "));
}

TEST(SynchronisationCheck, DoesNotAccuseAKernelThatFailsUnderTheTool) {
  const CaseRecord record = record_of(
      {finding("process_failed", Severity::error), finding("other_error", Severity::error)},
      InspectionEnd{"small/a", {.verdict = Verdict::crash, .reason = "killed"}});
  EXPECT_TRUE(record.judgement.passes());
  EXPECT_THAT(record.judgement.reason,
              HasSubstr("racecheck could not look: under it the kernel failed: killed"));
}

TEST(SynchronisationCheck, SaysWhyTheToolCouldNotLook) {
  const CaseRecord record = record_of_log(
      "synccheck", []() -> ToolLog { throw HarnessError("Internal Sanitizer Error"); });
  EXPECT_TRUE(record.judgement.passes());
  EXPECT_EQ(record.judgement.reason, "synccheck could not look: Internal Sanitizer Error");
}

TEST(SynchronisationCheck, SaysThatTheToolWasNotDone) {
  const CaseRecord record = record_of_log("synccheck", []() -> ToolLog { throw Cancelled(); });
  EXPECT_TRUE(record.judgement.passes());
  EXPECT_EQ(record.judgement.reason, "synccheck was not done in its time");
}

TEST(CaseToInspect, IsOfTheSmallConfigInTheMiddle) {
  Task task;
  task.name = "rows";
  task.inputs = [](const Params& params) {
    return std::vector<TensorSpec>{{.name = "x", .shape = {params.integer("rows")}}};
  };
  std::vector<Config> configs;
  for (const std::int64_t rows : {9000, 1, 300}) {
    configs.push_back({.set = ConfigSet::small,
                       .name = "small/" + std::to_string(rows),
                       .params = {{"rows", rows}}});
  }
  configs.push_back(
      {.set = ConfigSet::multi, .name = "multi", .params = {{"rows", std::int64_t{2}}}});
  EXPECT_EQ(case_to_inspect(task, Direction::forward, configs)->config.name, "small/300");
  EXPECT_FALSE(case_to_inspect(task, Direction::forward, {configs.back()}));
}

Task task_of_rows() {
  Task task;
  task.name = "rows";
  task.defaults = {{"rows", std::int64_t{1}}, {"length", std::int64_t{1}}};
  task.inputs = [](const Params& params) {
    return std::vector<TensorSpec>{
        {.name = "x", .shape = {params.integer("rows"), params.integer("length")}}};
  };
  return task;
}

Config single(std::int64_t rows, std::int64_t length) {
  return {.set = ConfigSet::single,
          .name = "single/" + std::to_string(rows),
          .params = {{"rows", rows}, {"length", length}}};
}

TEST(CaseNearTimed, IsTheLargestTimedConfigWhereThatIsQuick) {
  const auto near =
      case_near_timed(task_of_rows(), Direction::forward, {single(10, 10), single(1000, 100)});
  EXPECT_EQ(near->config.name, "single/1000");
}

TEST(CaseNearTimed, HalvesRowsBeforeTheirLength) {
  Task task = task_of_rows();
  task.shapes = Shapes{.sizes = {{.parameter = "rows", .least = 1, .most = 1 << 20, .multiple = 1},
                                 {.parameter = "length", .least = 1, .most = 1 << 20}}};
  const auto near = case_near_timed(task, Direction::forward, {single(10'000, 100'000)});
  EXPECT_EQ(near->config.params.integer("length"), 100'000);
  EXPECT_LT(near->config.params.integer("rows"), 200);
  EXPECT_GT(near->config.params.integer("rows"), 20);
}

TEST(CaseNearTimed, IsNoneForALargeTaskOfFixedShapes) {
  EXPECT_FALSE(case_near_timed(task_of_rows(), Direction::forward, {single(10'000, 100'000)}));
  EXPECT_FALSE(case_near_timed(task_of_rows(), Direction::forward, {}));
}

}  // namespace
}  // namespace robust_kbench
