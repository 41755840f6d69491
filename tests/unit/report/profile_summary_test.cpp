#include "report/profile_summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(ProfileSummary, ListsToolsFindingsAndAdvice) {
  const ToolFinding duration{.tool = "ncu",
                             .what = "duration",
                             .value = 1534.25,
                             .unit = "us",
                             .meaning = "time on the GPU",
                             .where = {.kernel = "void (anonymous namespace)::norm<4>(float*)"}};
  const ToolFinding idle{
      .tool = "cupti", .what = "idle", .value = 12.5, .unit = "%", .meaning = "of that span"};
  const ToolFinding widening{.tool = "clang-tidy",
                             .what = "bugprone-widening",
                             .severity = Severity::warning,
                             .meaning = "multiplies before it widens",
                             .where = {.file = "/k/norm.cu", .line = 69}};
  const ProfileRecord profile{
      .case_name = "single/features_4/seed_1",
      .tools = {{.tool = "ncu", .version = "2026.1", .missing = {}, .failed = {}, .seconds = 12},
                {.tool = "memcheck", .version = {}, .missing = "not in PATH", .failed = {}},
                {.tool = "initcheck", .version = {}, .missing = "not in PATH", .failed = {}},
                {.tool = "racecheck", .version = {}, .missing = {}, .failed = "no summary"}},
      .findings = {duration, widening, idle},
      .advice = {{.rule = "memory_bound",
                  .kernel = duration.where.kernel,
                  .stake = 0.25,
                  .text = "Move less.",
                  .because = {duration}}}};
  const KernelRecord record{.name = "norm",
                            .entry = {"layernorm", Direction::forward},
                            .device = Device::cuda,
                            .judgement = passed(),
                            .profile = profile};
  EXPECT_EQ(profile_summary(record),
            "layernorm.forward.norm on single/features_4/seed_1: pass\n"
            "  ncu: ran in 12.0 s (2026.1)\n"
            "  memcheck, initcheck: missing, not in PATH\n"
            "  racecheck: failed, no summary\n"
            "\n"
            "the call\n"
            "finding  value  unit  meaning       tool\n"
            "idle      12.5  %     of that span  cupti\n"
            "\n"
            "norm<4>\n"
            "finding   value  unit  meaning          tool\n"
            "duration   1534  us    time on the GPU  ncu\n"
            "\n"
            "norm.cu:69: multiplies before it widens [clang-tidy, bugprone-widening]\n"
            "\n"
            "Advice, by the share of the call's time that it is about:\n"
            "1. memory_bound (25 %): Move less.\n");
}

TEST(ProfileSummary, GivesNoAdviceOnAKernelThatDoesNotCompile) {
  const KernelRecord record{
      .name = "norm",
      .entry = {"layernorm", Direction::forward},
      .judgement = {.verdict = Verdict::compile_error, .reason = "expected ';'"}};
  EXPECT_EQ(profile_summary(record), "layernorm.forward.norm: compile_error\n  expected ';'\n");
}

TEST(ProfileSummary, StatesThatThereIsNoAdvice) {
  const KernelRecord record{
      .name = "norm",
      .entry = {"layernorm", Direction::forward},
      .device = Device::cuda,
      .judgement = {.verdict = Verdict::skipped, .reason = "no tool for it ran here"},
      .profile = ProfileRecord()};
  EXPECT_EQ(profile_summary(record),
            "layernorm.forward.norm: skipped\n  no tool for it ran here\n\nNo advice; most of it "
            "needs ncu.\n");
}

}  // namespace
}  // namespace robust_kbench
