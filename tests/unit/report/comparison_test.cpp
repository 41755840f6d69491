#include "report/comparison.hpp"

#include <cmath>

#include "core/error.hpp"
#include "report/comparison_csv.hpp"
#include "report/comparison_json.hpp"
#include "report/comparison_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using testing::HasSubstr;
using testing::Not;

// Five workers with eight samples each, which scatter by half a percent about `us`.
WorkerSamples samples_about(double us) {
  WorkerSamples samples;
  for (int worker = 0; worker < 5; ++worker) {
    samples.emplace_back();
    for (int i = 0; i < 8; ++i) {
      samples.back().push_back(us * (1 + 0.005 * std::sin(1 + 8 * worker + i)));
    }
  }
  return samples;
}

// A kernel that takes `us`, beside eager mode.
Measured timed(const std::string& name, double us, double eager_us = 200,
               const std::string& machine = "here") {
  return {.name = "norm.forward." + name,
          .place = "norm.forward on cpu",
          .machine = machine,
          .configs = {{.config = "small/a",
                       .samples_us = samples_about(us),
                       .baselines_us = {{"eager", samples_about(eager_us)}}}}};
}

Measured rejected(const std::string& name, Verdict verdict, const std::string& reason) {
  return {.name = "norm.forward." + name,
          .place = "norm.forward on cpu",
          .machine = "here",
          .judgement = {.verdict = verdict, .reason = reason}};
}

MeasurementComparison compared(std::vector<Measured> base, std::vector<Measured> contender,
                               const CompareOptions& options = {}) {
  return compare_measurements({"base.json", std::move(base)}, {"new.json", std::move(contender)},
                              options);
}

RatioCall only_call(const MeasurementComparison& comparison) {
  return comparison.kernels.at(0).cases.at(0).change.call;
}

TEST(Compare, FailsOnlyWhatIsSlowerBeyondTheThreshold) {
  const MeasurementComparison far = compared({timed("a", 100)}, {timed("a", 120)});
  EXPECT_EQ(only_call(far), RatioCall::slower);
  EXPECT_TRUE(far.kernels[0].cases[0].beyond);
  EXPECT_TRUE(far.is_worse());
  EXPECT_NEAR(far.mean->ratio, 1 / 1.2, 0.001);

  const MeasurementComparison near = compared({timed("a", 100)}, {timed("a", 104)});
  EXPECT_EQ(only_call(near), RatioCall::slower);
  EXPECT_FALSE(near.is_worse());
  EXPECT_TRUE(compared({timed("a", 100)}, {timed("a", 104)}, {.threshold = 0.02}).is_worse());
}

TEST(Compare, TellsFasterAndSame) {
  EXPECT_EQ(only_call(compared({timed("a", 100)}, {timed("a", 80)})), RatioCall::faster);
  EXPECT_EQ(only_call(compared({timed("a", 100)}, {timed("a", 100.2)})), RatioCall::same);
}

TEST(Compare, FailsAWorseVerdictAndPutsItFirst) {
  Measured base = timed("a", 100);
  base.cases = {{"small/a/seed_1", passed()}, {"small/a/seed_2", passed()}};
  Measured contender = rejected("a", Verdict::wrong_result, "Output 'y' is not close");
  contender.cases = {{"small/a/seed_1", contender.judgement}, {"small/a/seed_2", passed()}};
  const MeasurementComparison comparison =
      compared({rejected("b", Verdict::crash, "SIGSEGV"), base, timed("c", 100)},
               {timed("b", 90), contender, timed("c", 100)});
  ASSERT_EQ(comparison.verdicts.size(), 3U);
  EXPECT_TRUE(comparison.verdicts[0].is_worse());
  EXPECT_EQ(comparison.verdicts[0].kernel, "norm.forward.a");
  EXPECT_EQ(comparison.verdicts[1].case_name, "small/a/seed_1");
  EXPECT_FALSE(comparison.verdicts[2].is_worse());
  EXPECT_TRUE(comparison.is_worse());
  const std::string text = comparison_console(comparison);
  EXPECT_LT(text.find("wrong_result  worse"), text.find("as fast as base"));
  EXPECT_THAT(text, HasSubstr("norm.forward.a: Output 'y' is not close"));
  EXPECT_THAT(text, HasSubstr("not compared: new.json is wrong_result"));
  EXPECT_THAT(text, HasSubstr("worse: 2 verdicts"));
}

TEST(Compare, TakesSpeedupsWhereMachinesDiffer) {
  // The other machine takes half as long for everything.
  const MeasurementComparison comparison =
      compared({timed("a", 100)}, {timed("a", 50, 100, "there")});
  EXPECT_EQ(comparison.kernels[0].cases[0].basis, Basis::speedups);
  EXPECT_EQ(only_call(comparison), RatioCall::same);
  EXPECT_THAT(comparison_console(comparison), HasSubstr("The machines differ"));
  // It takes half as long for eager mode alone.
  EXPECT_EQ(only_call(compared({timed("a", 100)}, {timed("a", 100, 100, "there")})),
            RatioCall::slower);
  // Nobody knows the machines.
  EXPECT_EQ(
      compared({timed("a", 100, 200, "")}, {timed("a", 100, 200, "")}).kernels[0].cases[0].basis,
      Basis::speedups);
}

TEST(Compare, LeavesOutWhatNoBaselineLinksAcrossMachines) {
  Measured there = timed("a", 50, 100, "there");
  there.configs[0].baselines_us.clear();
  const MeasurementComparison comparison = compared({timed("a", 100)}, {there});
  EXPECT_TRUE(comparison.kernels.empty());
  EXPECT_THAT(comparison_console(comparison), HasSubstr("norm.forward.a, small/a: not compared"));
}

TEST(Compare, DoubtsTimesOfAMachineThatChanged) {
  const MeasurementComparison comparison = compared({timed("a", 100)}, {timed("a", 120, 240)});
  EXPECT_EQ(only_call(comparison), RatioCall::ambiguous);
  EXPECT_EQ(comparison.kernels[0].cases[0].change.doubt, "eager itself changed by 0.83x");
  EXPECT_EQ(conclusion(comparison), "not worse: 1 kernel compared, 1 case not told apart");
  // Times and speed-ups agree here, though eager changed as well.
  EXPECT_EQ(only_call(compared({timed("a", 100)}, {timed("a", 150, 210)})), RatioCall::slower);
}

TEST(Compare, SeesThroughSharedDriftInARace) {
  Measured base = timed("a", 100);
  Measured contender = timed("a", 110);
  for (Measured* const version : {&base, &contender}) {
    for (auto& worker : version->configs[0].samples_us) {
      for (std::size_t i = 0; i < worker.size(); ++i) worker[i] *= 1 + 0.3 * static_cast<double>(i);
    }
  }
  EXPECT_EQ(only_call(compared({base}, {contender}, {.one_race = true})), RatioCall::slower);
  EXPECT_EQ(only_call(compared({base}, {contender})), RatioCall::ambiguous);
}

TEST(Compare, MatchesKernelsByNameOrWhereEachIsAlone) {
  const MeasurementComparison renamed = compared({timed("old", 100)}, {timed("edit", 100)});
  ASSERT_EQ(renamed.kernels.size(), 1U);
  EXPECT_EQ(renamed.kernels[0].base_name, "norm.forward.old");
  const MeasurementComparison several =
      compared({timed("a", 100), timed("b", 100)}, {timed("a", 100), timed("c", 100)});
  EXPECT_EQ(several.kernels.size(), 1U);
  EXPECT_THAT(comparison_console(several), HasSubstr("norm.forward.c: not compared: it is in new"));
}

TEST(Compare, RefusesWhatItCannotCompare) {
  Measured elsewhere = timed("a", 100);
  elsewhere.name = "pool.forward.a";
  elsewhere.place = "pool.forward on cpu";
  EXPECT_THROW(compared({timed("a", 100)}, {elsewhere}), UserError);
  EXPECT_THROW(compared({timed("a", 100), timed("a", 100)}, {timed("a", 100)}), UserError);
}

TEST(Compare, BelievesNoIntervalThatTheSamplesDoNotGive) {
  Measured once{.name = "content", .machine = "here", .configs = {{.samples_us = {{100}}}}};
  once.configs[0].doubt = "1 repetition of at least 5";
  Measured slower = once;
  slower.configs[0].samples_us = {{200}};
  const MeasurementComparison comparison = compared({once}, {slower});
  EXPECT_EQ(only_call(comparison), RatioCall::ambiguous);
  EXPECT_FALSE(comparison.is_worse());
}

TEST(ComparisonMarkdown, KeepsTextOfKernelsFromBeingMarkup) {
  Measured base = timed("a", 100);
  const MeasurementComparison comparison =
      compared({base}, {rejected("a", Verdict::crash, "```\n</details><script>alert(1)</script>")});
  const std::string text = comparison_markdown(comparison);
  EXPECT_THAT(text, HasSubstr("````\n"));
  EXPECT_THAT(text, Not(HasSubstr("\n</details>")));
  EXPECT_THAT(text, HasSubstr("### Compared with `base.json`: worse: 1 verdict"));
}

TEST(ComparisonJson, HoldsWhatTheTablesShow) {
  const nlohmann::json json = comparison_json(compared({timed("a", 100)}, {timed("a", 120)}));
  EXPECT_EQ(json["comparison_schema_version"], comparison_schema_version);
  EXPECT_EQ(json["worse"], true);
  EXPECT_EQ(json["threshold_percent"], 5);
  const nlohmann::json& c = json["kernels"][0]["cases"][0];
  EXPECT_EQ(c["basis"], "times");
  EXPECT_EQ(c["call"], "slower");
  EXPECT_EQ(c["beyond_threshold"], true);
  EXPECT_NEAR(c["contender_speedup"].get<double>(), 200.0 / 120, 0.01);
}

TEST(Compare, WritesARowForEachVerdictAndCaseOfASpreadsheet) {
  Measured slow = timed("a", 120);
  slow.configs[0].config = "small/a, \"odd\"";
  Measured before = timed("a", 100);
  before.configs[0].config = slow.configs[0].config;
  const std::string csv = comparison_csv(
      compared({before, timed("b", 100)}, {slow, rejected("b", Verdict::crash, "SIGSEGV")}));
  EXPECT_THAT(csv, testing::StartsWith("row,kernel,config,base_verdict,contender_verdict,basis,"));
  EXPECT_THAT(csv, HasSubstr("\nverdict,norm.forward.b,,pass,crash,,,,,,,,,,,yes\n"));
  EXPECT_THAT(csv, testing::ContainsRegex(
                       "\ntime,norm.forward.a,\"small/a, \"\"odd\"\"\",,,times,eager,[0-9.]+,"
                       "[0-9.]+,[0-9.]+,[0-9.]+,0.83[0-9]*,0.8[0-9]*,0.8[0-9]*,slower,yes\n"));
}

}  // namespace
}  // namespace robust_kbench
