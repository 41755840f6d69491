#include "core/record.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

json old_timing(const char* config, const char* subject, double us, double roofline_us) {
  return {{"config", config},
          {"subject", subject},
          {"median_us", us},
          {"ci_low_us", us},
          {"ci_high_us", us},
          {"quartile_low_us", us},
          {"quartile_high_us", us},
          {"workers", 3},
          {"samples", 6},
          {"dropped", 0},
          {"understated_us", {0, 0, 0}},
          {"sm_mhz", 1980},
          {"verified_calls", 3},
          {"roofline_us", roofline_us},
          {"roofline", roofline_us > 0 ? "memory, 2.97 TB/s" : ""},
          {"stopped_by", "interval"},
          {"samples_us", {{us, us}, {us, us}, {us, us}}}};
}

json old_speedup(const char* config, double ratio) {
  return {{"config", config}, {"against", "eager"}, {"ratio", ratio},
          {"ci_low", ratio},  {"ci_high", ratio},   {"call", "faster"}};
}

json kernel_of_schema_2() {
  return {{"path", "a.cu"},
          {"name", "a"},
          {"task", "mnist_linear"},
          {"direction", "forward"},
          {"device", "cuda"},
          {"headers", "slim"},
          {"flags", {"-O3"}},
          {"compiler", "nvcc"},
          {"verdict", "pass"},
          {"cheat_class", nullptr},
          {"reason", ""},
          {"skipped_reason", ""},
          {"compile_seconds", 1.5},
          {"cases", json::array()},
          {"timings",
           {old_timing("x", "kernel", 10, 5), old_timing("x", "eager", 20, 5),
            old_timing("y", "kernel", 10, 0), old_timing("y", "eager", 80, 0)}},
          {"speedups", {old_speedup("x", 2), old_speedup("y", 8)}},
          {"estimates",
           {{{"config", "y"},
             {"subject", "kernel"},
             {"estimator", "cupti"},
             {"time_us", 9.5},
             {"calls", 7},
             {"note", ""}}}}};
}

TEST(RecordUpgrade, NestsTheSeparateListsOfSchema2) {
  const json file{{"schema_version", 2}, {"kernels", {kernel_of_schema_2()}}};
  const KernelRecord record = kernels_of(file).at(0);
  EXPECT_EQ(record.build.headers, KernelHeaders::shim);
  EXPECT_EQ(record.build.compile_seconds, 1.5);
  EXPECT_TRUE(record.judgement.passes());
  ASSERT_EQ(record.timings.size(), 2U);
  const ConfigTimingRecord& x = record.timings[0];
  const ConfigTimingRecord& y = record.timings[1];
  EXPECT_EQ(x.config, "x");
  EXPECT_EQ(x.roofline.value().us, 5);
  EXPECT_EQ(x.roofline.value().bound, "memory, 2.97 TB/s");
  EXPECT_FALSE(y.roofline);
  ASSERT_EQ(y.subjects.size(), 2U);
  EXPECT_EQ(y.find("eager")->median_us, 80);
  EXPECT_EQ(y.speedups.at(0).ratio, 8);
  EXPECT_EQ(y.estimates.at(0).time_us, 9.5);
  EXPECT_TRUE(x.estimates.empty());
}

TEST(RecordUpgrade, ComputesTheMeansThatSchema2Lacks) {
  const json file{{"schema_version", 2}, {"kernels", {kernel_of_schema_2()}}};
  const std::vector<SpeedupRecord> means = kernels_of(file).at(0).mean_speedups;
  ASSERT_EQ(means.size(), 1U);
  EXPECT_EQ(means[0].against, "eager");
  EXPECT_NEAR(means[0].ratio, 4, 1e-12);
  EXPECT_EQ(means[0].call, RatioCall::faster);
}

TEST(RecordUpgrade, KeepsWhyAKernelWasSkipped) {
  json kernel = kernel_of_schema_2();
  kernel["verdict"] = "skipped";
  kernel["skipped_reason"] = "no NVIDIA driver";
  const json file{{"schema_version", 2}, {"kernels", {kernel}}};
  EXPECT_EQ(kernels_of(file).at(0).judgement.reason, "no NVIDIA driver");
}

TEST(RecordUpgrade, ReadsProfilesOfSchema1) {
  const json profile{{"path", "a.cu"},         {"name", "a"},
                     {"task", "mnist_linear"}, {"direction", "backward"},
                     {"device", "cuda"},       {"case", "single/x/seed_1"},
                     {"verdict", "skipped"},   {"reason", "no tool for it ran here"},
                     {"tools", json::array()}, {"findings", json::array()},
                     {"advice", json::array()}};
  const json file{{"schema_version", 1}, {"profiles", {profile}}};
  const KernelRecord record = kernels_of(file).at(0);
  EXPECT_EQ(record.entry.name(), "mnist_linear.backward");
  EXPECT_EQ(record.judgement.verdict, Verdict::skipped);
  EXPECT_EQ(record.profile.value().case_name, "single/x/seed_1");
}

}  // namespace
}  // namespace robust_kbench
