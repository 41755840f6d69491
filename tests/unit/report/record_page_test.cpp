#include "report/record_page.hpp"

#include <cmath>
#include <string>

#include "report/baseline_means.hpp"
#include "report/failure_blocks.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

constexpr const char* replay =
    "/home/me/build/bin/rkb test --task layernorm --direction forward --kernel /home/me/mine.cpp "
    "--case small/features_4/seed_1 --nonce 0x1f";

TimingRecord subject_timing(const std::string& subject, double us) {
  return {.subject = subject,
          .median_us = us,
          .workers = 2,
          .samples = 4,
          .samples_us = {{us, us * 1.01}, {us, us * 1.02}}};
}

SpeedupRecord over(const std::string& against, double ratio) {
  return {against, ratio, ratio * 0.9, ratio * 1.1, RatioCall::faster};
}

ConfigTimingRecord timed_config(const std::string& name, double eager_us, double compile_us) {
  return {.config = name,
          .roofline = RooflineRecord{.us = 5, .bound = "memory"},
          .subjects = {subject_timing("kernel", 10), subject_timing("eager", eager_us),
                       subject_timing("compile", compile_us)},
          .speedups = {over("eager", eager_us / 10), over("compile", compile_us / 10)}};
}

KernelRecord timed_kernel(const std::string& name) {
  return {.name = name,
          .entry = {"layernorm", Direction::forward},
          .judgement = passed(),
          .cases = {{.name = "a", .judgement = passed()}},
          .timings = {timed_config("a", 20, 40), timed_config("b", 80, 40)},
          .mean_speedups = {over("eager", 4), over("compile", 4)}};
}

KernelRecord failed_kernel(const std::string& reason) {
  const Judgement judgement = wrong_result(reason);
  return {.name = "mine",
          .entry = {"layernorm", Direction::forward},
          .judgement = judgement,
          .cases = {{.name = "small/features_4/seed_1", .judgement = judgement}}};
}

const nlohmann::json* section(const nlohmann::json& page, const std::string& id) {
  for (const nlohmann::json& one : page.at("sections")) {
    if (one.at("id") == id) return &one;
  }
  return nullptr;
}

TEST(MeanOverBestBaseline, TakesTheFastestOfEachConfig) {
  const auto mean = mean_over_best_baseline(timed_kernel("fused"));
  ASSERT_TRUE(mean);
  EXPECT_NEAR(mean->ratio, std::sqrt(2.0 * 4.0), 1e-9);
  EXPECT_LT(mean->ci_low, mean->ratio);
  EXPECT_GT(mean->ci_high, mean->ratio);
}

TEST(MeanOverBestBaseline, IgnoresRivalsAndOtherPrecisions) {
  KernelRecord kernel = timed_kernel("fused");
  for (ConfigTimingRecord& one : kernel.timings) {
    one.subjects.push_back(subject_timing("eager_tf32", 1));
    one.speedups.push_back(over("eager_tf32", 0.1));
    one.subjects.push_back(subject_timing("rival", 1));
    one.speedups.push_back(over("rival", 0.1));
  }
  kernel.rivals.push_back({.name = "rival", .path = "", .judgement = passed()});
  EXPECT_GT(mean_over_best_baseline(kernel)->ratio, 2);
}

TEST(ReplayOf, CallsProgramAndFilesByTheirBareNames) {
  EXPECT_EQ(replay_of({.name = "a",
                       .judgement = wrong_result(std::string("wrong\nrkb test --of another\n") +
                                                 replay + "\n--scope listed leaves out probes")}),
            "rkb test --task layernorm --direction forward --kernel mine.cpp --case "
            "small/features_4/seed_1 --nonce 0x1f");
}

TEST(ReplayOf, TakesNoCommandThatAKernelCouldHaveWritten) {
  for (const char* line : {"rkb test --task a; rm -rf x", "rkb test $(id) b", "rkb bench a b",
                           "bash rkb test", "rkb test a | sh"}) {
    EXPECT_FALSE(replay_of({.name = "a", .judgement = wrong_result(line)})) << line;
  }
}

TEST(RecordPage, DrawsEachSeriesThatAKernelHas) {
  const nlohmann::json page = record_page({timed_kernel("fused"), timed_kernel("plain")});
  const nlohmann::json& chart = section(page, "speed-ups")->at("blocks").at(1).at("chart");
  EXPECT_EQ(chart.at("categories").size(), 2);
  ASSERT_EQ(chart.at("series").size(), 3);
  EXPECT_EQ(chart.at("series").at(0).at("name"), "over eager");
  EXPECT_EQ(chart.at("series").at(0).at("points").at(0), nlohmann::json({3.6, 4.0, 4.4}));
  EXPECT_NE(section(page, "roofline"), nullptr);
  EXPECT_NE(section(page, "judged"), nullptr);
}

TEST(RecordPage, HasAFoldForEachFailureWithItsReplay) {
  const nlohmann::json page =
      record_page({failed_kernel(std::string("wrong\n") + replay), timed_kernel("fused")});
  const nlohmann::json* const failures = section(page, "failures");
  ASSERT_NE(failures, nullptr);
  ASSERT_EQ(failures->at("blocks").size(), 1);
  EXPECT_EQ(failures->at("blocks").at(0).at("verdict"), "wrong_result");
  EXPECT_NE(failures->dump().find(R"("kind":"command")"), std::string::npos);
}

TEST(RecordPage, LeavesSectionsOutThatNothingIsIn) {
  const nlohmann::json page = record_page({failed_kernel("wrong")});
  for (const char* id : {"roofline", "judged", "asks", "machines"}) {
    EXPECT_EQ(section(page, id), nullptr) << id;
  }
}

}  // namespace
}  // namespace robust_kbench
