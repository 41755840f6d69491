#include "profile/profile_record.hpp"

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

Verdict judged(std::vector<ToolRecord> tools, std::vector<ToolFinding> findings = {}) {
  ProfileRecord record{.tools = std::move(tools), .findings = std::move(findings)};
  judge(record);
  return record.verdict;
}

TEST(ProfileRecord, PassesWhereAToolRanAndSkipsWhereNoneDid) {
  EXPECT_EQ(judged({ran(), missing()}), Verdict::pass);
  EXPECT_EQ(judged({missing()}), Verdict::skipped);
  EXPECT_EQ(judged({}), Verdict::skipped);
}

TEST(ProfileRecord, AToolThatFailedIsNoPass) {
  EXPECT_EQ(judged({ran(), failed()}), Verdict::harness_error);
}

TEST(ProfileRecord, AnErrorOutranksAToolThatFailed) {
  EXPECT_EQ(judged({failed()}, {{.tool = "racecheck", .severity = Severity::error}}),
            Verdict::unsafe);
  EXPECT_EQ(judged({ran()}, {{.tool = "racecheck", .severity = Severity::warning}}), Verdict::pass);
}

TEST(ProfileRecord, ReadsBackFromJsonAsItWas) {
  const ProfileRecord record{.path = "/k/norm.cu",
                             .name = "norm",
                             .entry = {"layernorm", Direction::backward},
                             .device = "cuda",
                             .case_name = "single/features_4/seed_1",
                             .verdict = Verdict::unsafe,
                             .reason = "memcheck found it",
                             .tools = {ran(), missing(), failed()},
                             .findings = {{.tool = "ncu", .what = "duration", .value = 1.5}},
                             .advice = {{.rule = "spills", .stake = 0.5, .text = "spill less"}}};
  const nlohmann::json file = profile_file({record});
  EXPECT_EQ(file.at("schema_version"), 1);
  const auto read = file.at("profiles").at(0).get<ProfileRecord>();
  EXPECT_EQ(read.path, record.path);
  EXPECT_EQ(read.name, record.name);
  EXPECT_EQ(read.entry, record.entry);
  EXPECT_EQ(read.device, record.device);
  EXPECT_EQ(read.case_name, record.case_name);
  EXPECT_EQ(read.verdict, record.verdict);
  EXPECT_EQ(read.reason, record.reason);
  EXPECT_EQ(read.tools, record.tools);
  EXPECT_EQ(read.findings, record.findings);
  EXPECT_EQ(read.advice, record.advice);
}

}  // namespace
}  // namespace robust_kbench
