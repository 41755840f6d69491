#include "report/history.hpp"

#include <string>
#include <vector>

#include "report/history_page.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

// A kernel of 10 us beside an eager of so many, whose samples all say the same.
KernelRecord kernel_against(double eager_us, const std::string& date,
                            const std::vector<std::string>& configs = {"a"}) {
  KernelRecord record{.name = "fused", .entry = {"layernorm", Direction::forward}};
  record.judgement = passed();
  record.machine = MachineRecord{.date = date, .cpu = "one"};
  const double ratio = eager_us / 10;
  const SpeedupRecord speedup{"eager", ratio, ratio * 0.95, ratio * 1.05, RatioCall::faster};
  for (const std::string& config : configs) {
    record.timings.push_back(
        {.config = config,
         .subjects = {{.subject = "kernel",
                       .median_us = 10,
                       .ci_low_us = 9,
                       .ci_high_us = 11,
                       .samples_us = {{10, 10}}},
                      {.subject = "eager", .median_us = eager_us, .samples_us = {{eager_us}}}},
         .speedups = {speedup}});
  }
  record.mean_speedups = {speedup};
  return record;
}

TEST(HistoriesOf, MarkOnlyIntervalsThatLieApart) {
  const auto histories = histories_of({{"third", {kernel_against(40, "2026-03-01")}},
                                       {"first", {kernel_against(20, "2026-01-01")}},
                                       {"second", {kernel_against(21, "2026-02-01")}}});
  ASSERT_EQ(histories.size(), 1);
  const std::vector<HistoryPoint>& points = histories[0].points;
  ASSERT_EQ(points.size(), 3);
  EXPECT_EQ(points[0].name, "first");
  EXPECT_FALSE(points[1].is_speedup_step);
  EXPECT_TRUE(points[2].is_speedup_step);
  EXPECT_FALSE(points[2].is_time_step);
}

TEST(HistoriesOf, CompareOnlyConfigsThatAllPointsHave) {
  const auto histories = histories_of({{"first", {kernel_against(20, "2026-01-01", {"a", "b"})}},
                                       {"second", {kernel_against(20, "2026-02-01", {"b"})}},
                                       {"third", {kernel_against(20, "2026-03-01", {"b"})}}});
  ASSERT_EQ(histories.size(), 1);
  EXPECT_EQ(histories[0].points[0].speedup, 2);
  EXPECT_TRUE(histories_of({{"first", {kernel_against(20, "2026-01-01", {"a"})}},
                            {"second", {kernel_against(20, "2026-02-01", {"b"})}}})
                  .empty());
}

TEST(HistoryPage, TellsEachStepAndDrawsEachKernel) {
  const auto histories = histories_of({{"first", {kernel_against(20, "2026-01-01")}},
                                       {"second", {kernel_against(10, "2026-02-01")}}});
  const nlohmann::json page = history_page(histories, 2);
  const nlohmann::json& row = page.at("sections").at(0).at("blocks").at(0).at("rows").at(0);
  EXPECT_EQ(row.at(5).at("t"), "slower");
  const nlohmann::json& charts = page.at("sections").at(1).at("blocks").at(1).at("items").at(0);
  EXPECT_EQ(charts.at("blocks").size(), 2);
  EXPECT_NE(step_table(histories).console().find("slower"), std::string::npos);
}

}  // namespace
}  // namespace robust_kbench
