#include "core/record.hpp"

#include <limits>

#include "core/error.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(Judge, TakesTheGravestCase) {
  KernelRecord record;
  record.build.verdict = Verdict::pass;
  record.cases = {{.name = "a", .verdict = Verdict::wrong_result, .reason = "off"},
                  {.name = "b",
                   .verdict = Verdict::cheat,
                   .cheat_class = CheatClass::late_write,
                   .reason = "late"},
                  {.name = "c", .verdict = Verdict::pass}};
  judge(record);
  EXPECT_EQ(record.verdict, Verdict::cheat);
  EXPECT_EQ(record.cheat_class, CheatClass::late_write);
  EXPECT_EQ(record.reason, "b: late");
}

TEST(Judge, PassesOnlyWhenEveryCasePasses) {
  KernelRecord record;
  record.build.verdict = Verdict::pass;
  record.cases = {{.name = "a", .verdict = Verdict::pass}};
  judge(record);
  EXPECT_EQ(record.verdict, Verdict::pass);
}

TEST(RecordFile, WritesNotANumberAsNull) {
  KernelRecord record;
  record.timings = {{.config = "c", .median_us = std::numeric_limits<double>::quiet_NaN()}};
  const nlohmann::json file = nlohmann::json::parse(record_file({record}).dump());
  EXPECT_EQ(file["schema_version"], record_schema_version);
  EXPECT_TRUE(file["kernels"][0]["timings"][0]["median_us"].is_null());
}

TEST(RecordFile, CheatClassIsNullUnlessTheVerdictIsCheat) {
  KernelRecord record;
  EXPECT_TRUE(record_file({record})["kernels"][0]["cheat_class"].is_null());
  record.cheat_class = CheatClass::timing;
  EXPECT_EQ(record_file({record})["kernels"][0]["cheat_class"], "timing");
}

TEST(RecordFile, SurvivesTheWayThroughJson) {
  const nlohmann::json written = record_file(
      {{.path = "a.cu",
        .name = "a",
        .entry = {"mnist_linear", Direction::backward},
        .device = "cuda",
        .gpu = "NVIDIA H100 80GB HBM3",
        .verdict = Verdict::cheat,
        .cheat_class = CheatClass::timing,
        .reason = "because",
        .cases = {{.name = "small/x/seed_1",
                   .verdict = Verdict::unsafe,
                   .errors = {{"y", std::numeric_limits<double>::quiet_NaN(), 2, 3}},
                   .calls = 3,
                   .bitwise_repeatable = false,
                   .total_seconds = 0.25}},
        .cases_not_called = 38,
        .timings = {{.config = "c",
                     .subject = "kernel",
                     .median_us = 1.5,
                     .hot_us = 1,
                     .latency_us = 9,
                     .samples_us = {{1, 2}}}},
        .speedups = {{.config = "c", .against = "eager", .ratio = 2, .call = "faster"}},
        .estimates = {{.config = "c", .subject = "eager", .estimator = "cupti", .calls = 7}}}});
  EXPECT_EQ(written["kernels"][0]["cases_not_called"], 38);
  EXPECT_EQ(record_file(kernels_of(nlohmann::json::parse(written.dump()))), written);
}

TEST(RecordFile, RefusesAnotherVersion) {
  EXPECT_THROW(kernels_of({{"schema_version", 99}, {"kernels", nlohmann::json::array()}}),
               UserError);
}

TEST(BuildRecord, SurvivesTheWayThroughJson) {
  const BuildRecord record{.verdict = Verdict::compile_error,
                           .reason = "no",
                           .flags = {"-O3"},
                           .compiler = "g++ 12",
                           .compile_seconds = 0.5};
  const BuildRecord read = nlohmann::json(record).get<BuildRecord>();
  EXPECT_EQ(read.verdict, record.verdict);
  EXPECT_EQ(read.flags, record.flags);
  EXPECT_EQ(read.compile_seconds, record.compile_seconds);
}

TEST(Verdict, NamesAreReadBack) {
  EXPECT_EQ(parse_verdict(to_string(Verdict::out_of_memory)), Verdict::out_of_memory);
  EXPECT_EQ(parse_cheat_class(to_string(CheatClass::left_process)), CheatClass::left_process);
}

TEST(Speedup, IsToldInEnglish) {
  const auto told = [](const char* call) { return in_words({.against = "eager", .call = call}); };
  EXPECT_EQ(told("faster"), "faster than eager");
  EXPECT_EQ(told("slower"), "slower than eager");
  EXPECT_EQ(told("same"), "as fast as eager");
  EXPECT_EQ(told("ambiguous"), "not told apart from eager");
}

}  // namespace
}  // namespace robust_kbench
