#include "core/record.hpp"

#include <fstream>
#include <limits>
#include <string>

#include "core/error.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

CaseRecord ended_case(const std::string& name, Judgement judgement) {
  return {.name = name, .judgement = std::move(judgement)};
}

KernelRecord built_kernel() {
  KernelRecord record;
  record.build.judgement = passed();
  return record;
}

TEST(JudgementOfARecord, TakesTheGravestCase) {
  KernelRecord record = built_kernel();
  record.cases = {ended_case("a", wrong_result("off")),
                  ended_case("b", cheat(CheatClass::late_write, "late")),
                  ended_case("c", passed())};
  EXPECT_EQ(judgement_of(record), cheat(CheatClass::late_write, "b: late"));
}

TEST(JudgementOfARecord, PassesOnlyWhenEveryCasePasses) {
  KernelRecord record = built_kernel();
  record.cases = {ended_case("a", passed())};
  EXPECT_TRUE(judgement_of(record).passes());
}

TEST(JudgementOfARecord, TakesTheBuildsReasonWhereItFailed) {
  KernelRecord record;
  record.build.judgement = {.verdict = Verdict::compile_error, .reason = "expected ';'"};
  EXPECT_EQ(judgement_of(record), record.build.judgement);
}

TEST(JudgementOfARecord, IgnoresRefusalsUnlessAllCasesAreRefused) {
  KernelRecord record = built_kernel();
  record.cases = {{.name = "drawn_1",
                   .judgement = {.verdict = Verdict::skipped, .reason = "refused: no"},
                   .refused = true}};
  EXPECT_EQ(judgement_of(record),
            (Judgement{.verdict = Verdict::skipped, .reason = "drawn_1: refused: no"}));
  record.cases.push_back(ended_case("a", passed()));
  EXPECT_TRUE(judgement_of(record).passes());
}

// The reason of such a case names the case itself, so no name is put before it.
TEST(JudgementOfARecord, BeginsWithTheReasonOfACaseBesideTheListedOnes) {
  KernelRecord record = built_kernel();
  record.cases = {{.name = "drawn_1", .asks = "size 5", .judgement = wrong_result("right on all")}};
  EXPECT_EQ(judgement_of(record), wrong_result("right on all"));
}

TEST(RecordFile, TakesFilesWithoutYoungerFields) {
  nlohmann::json file = record_file({built_kernel()});
  file["kernels"][0]["cases"] = {ended_case("a", passed())};
  for (const char* field : {"scope", "sandbox", "entry_point"}) file["kernels"][0].erase(field);
  for (const char* field : {"asks", "refused"}) file["kernels"][0]["cases"][0].erase(field);
  const KernelRecord record = kernels_of(file).at(0);
  EXPECT_EQ(record.coverage, Coverage::listed);
  EXPECT_FALSE(record.cases.at(0).refused);
}

TEST(RecordFile, WritesNotANumberAsNull) {
  KernelRecord record;
  const TimingRecord timing{.median_us = std::numeric_limits<double>::quiet_NaN()};
  record.timings = {{.config = "c", .subjects = {timing}}};
  const nlohmann::json file = nlohmann::json::parse(record_file({record}).dump());
  EXPECT_EQ(file["schema_version"], record_schema_version);
  EXPECT_TRUE(file["kernels"][0]["timings"][0]["subjects"][0]["median_us"].is_null());
}

TEST(RecordFile, CheatClassIsNullUnlessTheVerdictIsCheat) {
  KernelRecord record;
  EXPECT_TRUE(record_file({record})["kernels"][0]["cheat_class"].is_null());
  record.judgement = cheat(CheatClass::timing, "too fast");
  EXPECT_EQ(record_file({record})["kernels"][0]["cheat_class"], "timing");
}

nlohmann::json golden(const std::string& name) {
  std::ifstream in(GOLDEN + name);
  return nlohmann::json::parse(in);
}

// The whole records are compared, so that docs/records.md can be checked against them.
TEST(RecordFile, SaysHowAKernelWasJudgedOnlyWhereAReplayWasAskedFor) {
  KernelRecord record = built_kernel();
  EXPECT_TRUE(nlohmann::json(record).at("judged").is_null());
  record.judged = JudgedRecord{.by_replay = false, .reason = "calls cuTexObjectCreate"};
  const nlohmann::json json = record;
  EXPECT_EQ(json.at("judged"), "in_process");
  const auto read = json.get<KernelRecord>();
  ASSERT_TRUE(read.judged);
  EXPECT_FALSE(read.judged->by_replay);
  EXPECT_EQ(read.judged->reason, "calls cuTexObjectCreate");
  record.judged = JudgedRecord{.by_replay = true, .reason = ""};
  EXPECT_TRUE(nlohmann::json(record).get<KernelRecord>().judged->by_replay);
}

TEST(RecordFile, RoundTripsTheGoldenRecords) {
  const nlohmann::json file = golden("records.json");
  EXPECT_EQ(record_file(kernels_of(file)), file);
}

TEST(BuildRecord, RoundTripsTheGoldenRecord) {
  const nlohmann::json file = golden("build_record.json");
  EXPECT_EQ(nlohmann::json(file.get<BuildRecord>()), file);
}

TEST(RecordFile, RefusesAnotherVersion) {
  EXPECT_THROW(kernels_of({{"schema_version", 99}, {"kernels", nlohmann::json::array()}}),
               UserError);
}

TEST(BuildRecord, RoundTripsThroughJson) {
  const BuildRecord record{.judgement = {.verdict = Verdict::compile_error, .reason = "no"},
                           .headers = KernelHeaders::torch,
                           .flags = {"-O3"},
                           .compiler = "g++ 12",
                           .uses = {{Capability::files, "open", "kernel.cpp", 3}},
                           .compile_seconds = 0.5};
  const auto read = nlohmann::json(record).get<BuildRecord>();
  EXPECT_EQ(read.judgement, record.judgement);
  EXPECT_EQ(read.headers, record.headers);
  EXPECT_EQ(read.flags, record.flags);
  EXPECT_EQ(read.uses, record.uses);
  EXPECT_EQ(read.compile_seconds, record.compile_seconds);
}

}  // namespace
}  // namespace robust_kbench
