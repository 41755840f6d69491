#include "evolve/tuning_report.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

const std::vector<TimedSetting> timed{
    {.id = 2, .parent = 1, .setting = "n = 2", .speedups = {{"large", 2}, {"small", 0.5}}},
    {.id = 3, .parent = 1, .setting = "n = 3", .speedups = {{"large", 1.5}, {"small", 1.5}}},
    {.id = 4, .parent = 3, .setting = "n = 4", .speedups = {{"large", 0.8}, {"small", 2}}},
    {.id = 5, .parent = 1, .setting = "n = 5", .speedups = {{"large", 4}}},
};

TEST(TuningReport, HasTheBestValuesOfEachConfigOverTheTunedKernel) {
  const std::vector<TuningReport> reports = tuning_reports(timed);
  ASSERT_EQ(reports.size(), 1);
  EXPECT_EQ(reports[0].tuned, 1);
  EXPECT_EQ(reports[0].settings, 4);
  const auto& configs = reports[0].configs;
  ASSERT_EQ(configs.size(), 2);
  EXPECT_EQ(configs[0].config, "large");
  EXPECT_EQ(configs[0].setting, "n = 5");
  EXPECT_DOUBLE_EQ(configs[0].speedup, 4);
  EXPECT_EQ(configs[1].proposal, 4);
  EXPECT_DOUBLE_EQ(configs[1].speedup, 3);  // 1.5 of its parent, and twice that
}

TEST(TuningReport, SaysWhatOneSettingThatWasTimedOnAllGivesUp) {
  const TuningReport report = tuning_reports(timed).at(0);
  EXPECT_EQ(report.one, 4);
  EXPECT_EQ(report.setting, "n = 4");
  EXPECT_DOUBLE_EQ(report.configs[0].speedup_of_one, 1.2);
  // sqrt(4 * 3) of each config's best, sqrt(1.2 * 3) of the one.
  EXPECT_NEAR(report.gives_up, 1.8257 - 1, 1e-4);
}

TEST(TuningReport, KeepsTheValuesWhereNothingIsFaster) {
  const TuningReport report =
      tuning_reports({{.id = 7, .parent = 6, .setting = "n = 1", .speedups = {{"small", 0.9}}}})
          .at(0);
  EXPECT_EQ(report.one, 6);
  EXPECT_EQ(report.setting, "");
  EXPECT_EQ(report.configs.at(0).setting, "");
  EXPECT_EQ(report.gives_up, 0);
}

TEST(TuningReport, TellsKernelsApartThatWereTuned) {
  EXPECT_EQ(tuning_reports({{.id = 2, .parent = 1, .setting = "a", .speedups = {{"small", 2}}},
                            {.id = 9, .parent = 8, .setting = "b", .speedups = {{"small", 2}}}})
                .size(),
            2);
  EXPECT_TRUE(tuning_reports({}).empty());
}

TEST(TuningReport, IsReadBackFromItsJson) {
  const nlohmann::json json = tuning_reports(timed);
  EXPECT_EQ(nlohmann::json(json.get<std::vector<TuningReport>>()), json);
}

}  // namespace
}  // namespace robust_kbench
