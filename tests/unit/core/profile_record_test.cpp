#include "core/profile_record.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

ToolRecord ran() {
  return {.tool = "ptxas", .version = "13.0", .missing = {}, .failed = {}, .seconds = 2};
}
ToolRecord missing() {
  return {.tool = "ncu", .version = {}, .missing = "not in PATH", .failed = {}};
}
ToolRecord failed() {
  return {.tool = "memcheck", .version = {}, .missing = {}, .failed = "no summary"};
}

Verdict verdict_of(std::vector<ToolRecord> tools, std::vector<ToolFinding> findings = {}) {
  return judgement_of({.tools = std::move(tools), .findings = std::move(findings)}).verdict;
}

TEST(ProfileRecord, PassesWhereAToolRanAndSkipsWhereNoneDid) {
  EXPECT_EQ(verdict_of({ran(), missing()}), Verdict::pass);
  EXPECT_EQ(verdict_of({missing()}), Verdict::skipped);
  EXPECT_EQ(verdict_of({}), Verdict::skipped);
}

TEST(ProfileRecord, AToolThatFailedIsNoPass) {
  EXPECT_EQ(verdict_of({ran(), failed()}), Verdict::harness_error);
}

TEST(ProfileRecord, AnErrorOutranksAToolThatFailed) {
  EXPECT_EQ(verdict_of({failed()}, {{.tool = "racecheck", .severity = Severity::error}}),
            Verdict::unsafe);
  EXPECT_EQ(verdict_of({ran()}, {{.tool = "racecheck", .severity = Severity::warning}}),
            Verdict::pass);
}

TEST(ProfileRecord, ReadsBackFromJsonAsItWas) {
  const ProfileRecord record{.case_name = "single/features_4/seed_1",
                             .tools = {ran(), missing(), failed()},
                             .findings = {{.tool = "ncu", .what = "duration", .value = 1.5}},
                             .advice = {{.rule = "spills", .stake = 0.5, .text = "spill less"}}};
  EXPECT_EQ(nlohmann::json(record).get<ProfileRecord>(), record);
}

}  // namespace
}  // namespace robust_kbench
