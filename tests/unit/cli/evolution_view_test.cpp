#include "cli/evolution_view.hpp"

#include <algorithm>

#include "evolve/tuning_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* steers = "scale\x1b[2J\nACCEPTED";
constexpr const char* steers_not = R"(scale\x1b[2J\x0aACCEPTED)";

nlohmann::json proposal(int id, const std::string& stage, const std::string& outcome = "") {
  return {{"event", "proposal"}, {"id", id},
          {"generation", 2},     {"stage", stage},
          {"outcome", outcome},  {"reason_class", outcome.empty() ? "" : "slower"},
          {"reason", steers},    {"strategy", steers}};
}

nlohmann::json accepted(double speedup, double over_first_parent) {
  return {{"event", "accepted"},
          {"id", 3},
          {"strategy", steers},
          {"speedup", speedup},
          {"ci_low", speedup - 0.1},
          {"ci_high", speedup + 0.1},
          {"over_first_parent", over_first_parent}};
}

TEST(EvolutionView, ShowsTheBestValuesOfEachConfigAndOfAll) {
  RunRow run{.id = "adding.forward.cpu.1", .entry = {"adding", Direction::forward}};
  run.summary["tuning"] = tuning_reports(
      {{.id = 2, .parent = 1, .setting = "n = 2", .speedups = {{"big", 2}, {"small", 0.9}}}});
  const std::string text = EvolutionView::summary(run);
  EXPECT_THAT(text, HasSubstr("Values of kernel 1, 1 settings timed:\n"));
  EXPECT_THAT(text, HasSubstr("big              2.00x        2.00x  n = 2\n"));
  EXPECT_THAT(text, HasSubstr("small            1.00x        0.90x  as they are\n"));
  EXPECT_THAT(text, HasSubstr("One setting for all, n = 2, takes 5.4 % longer"));
}

TEST(EvolutionView, ShowsWhatOtherEstimatorsSayOfTheWinner) {
  RunRow run{.id = "adding.forward.cuda.1", .entry = {"adding", Direction::forward}};
  run.state = "ended";
  run.winner = 3;
  run.summary = {{"outcome", "accepted"},
                 {"strategy", "a warp for each sum"},
                 {"source", "kernel.cu"},
                 {"in_search", {{"parent", 2.0}}},
                 {"estimated", {{"events", {{"eager", 4.0}, {"parent", 2.0}}}}}};
  EXPECT_THAT(EvolutionView::summary(run),
              HasSubstr("by the estimator events: 4.00x over eager, 2.00x over parent\n"));
}

// A stranger would else be told to run a command that refuses.
TEST(EvolutionView, NamesTheCommandThatAdoptsWhereItWould) {
  RunRow run{.id = "adding.forward.cpu.1", .entry = {"adding", Direction::forward}};
  run.state = "ended";
  run.winner = 3;
  const auto over = [](double low) {
    return nlohmann::json{{"ratio", low + 0.1}, {"ci_low", low}, {"ci_high", low + 0.2}};
  };
  run.summary = {{"outcome", "accepted"},
                 {"strategy", "lanes"},
                 {"source", "kernel.cpp"},
                 {"in_search", {{"parent", 2.0}}},
                 {"confirmed", {{"parent", over(1.9)}, {"registered", over(0.7)}}}};
  EXPECT_THAT(
      EvolutionView::summary(run, " --archive /a"),
      AllOf(HasSubstr("`rkb archive adopt` would refuse it"), Not(HasSubstr("adopt it:")),
            HasSubstr("all of them: rkb archive show adding.forward.cpu.1 --archive /a\n")));
  run.summary["confirmed"]["registered"] = over(1.1);
  EXPECT_THAT(EvolutionView::summary(run, " --archive /a"),
              HasSubstr("adopt it: rkb archive adopt adding.forward.cpu.1 --archive /a\n"));
  EXPECT_THAT(EvolutionView::summary(run, "", "/p/adding.task.json"),
              HasSubstr("adopt adding.forward.cpu.1 --task /p/adding.task.json\n"));
}

TEST(EvolutionView, SaysWhereNothingWasTried) {
  RunRow run{.id = "adding.forward.cpu.1", .entry = {"adding", Direction::forward}};
  run.state = "ended";
  EXPECT_THAT(EvolutionView::summary(run), HasSubstr("Nothing was tried."));
  run.summary = {{"proposals", 1}};
  EXPECT_THAT(EvolutionView::summary(run), HasSubstr("Nothing was better"));
}

TEST(EvolutionView, SaysWhatToTryWhereNothingWasFound) {
  RunRow run{.id = "adding.forward.cpu.1", .entry = {"adding", Direction::forward}};
  run.state = "ended";
  run.stop_reason = "wall clock";
  run.settings = {{"minutes", 2.5}, {"proposers", {"transform", "tune"}}};
  run.summary = {{"proposals", 1},
                 {"seconds", 140},
                 {"seconds_to_come", 40},
                 {"seeds", {{"fused", 1.0}, {"plain", 4.0}}}};
  EXPECT_THAT(EvolutionView::summary(run),
              AllOf(HasSubstr(": rkb evolve --task adding --direction forward --device cpu "
                              "--set minutes=9\n"),
                    HasSubstr(" --device cpu --seed-kernel plain\n"),
                    HasSubstr(" --device cpu --max-usd 2\n")));
  EXPECT_THAT(EvolutionView::summary(run, "", "/p/adding.task.json"),
              HasSubstr(": rkb evolve --task /p/adding.task.json --direction forward "));
  run.stop_reason = "plateau";
  run.settings["proposers"] = {"llm", "tune"};
  run.summary["seeds"] = {{"fused", 0.25}, {"plain", 1.0}};
  EXPECT_THAT(EvolutionView::summary(run), Not(HasSubstr("To look further")));
}

TEST(EvolutionView, SaysHowFastARunDecided) {
  RunRow run{.id = "adding.forward.cpu.1", .entry = {"adding", Direction::forward}};
  run.summary = {{"decided", 17}, {"decided_per_minute", 24.96}, {"first_decided_s", 12.3}};
  EXPECT_THAT(EvolutionView::summary(run),
              HasSubstr("  17 candidates decided, 25.0 a minute; the first after 12 s\n"));
}

TEST(EvolutionView, ShowsWhatAnEmptyKernelTakes) {
  RunRow run{.id = "adding.forward.cuda.1", .entry = {"adding", Direction::forward}};
  run.summary["empty_us"] = {{"big", 2.5}, {"small", 2.25}};
  EXPECT_THAT(EvolutionView::summary(run), HasSubstr("an empty kernel takes 2.50 us on big\n"));
}

TEST(EvolutionView, CountsTheProposalsThatReachAStage) {
  testing::internal::CaptureStderr();
  EvolutionView view{EvolutionSettings()};
  for (const char* stage : {"parsed", "compiled", "tested", "raced", "tested", "raced"}) {
    view.show(proposal(1, stage));
  }
  for (const char* stage : {"compiled", "tested"}) view.show(proposal(2, stage));
  view.show(proposal(2, "raced", "refused"));
  view.show(proposal(3, "compiled", "refused"));
  (void)testing::internal::GetCapturedStderr();
  EXPECT_THAT(
      view.status("racing"),
      HasSubstr(" s left; no gain yet; generation 2; 2 compiled, 2 tested, 2 raced; 2 refused, "
                "0 accepted; "));
}

TEST(EvolutionView, LeavesWholePartsOutWhereTheTerminalIsNarrow) {
  testing::internal::CaptureStderr();
  EvolutionView view{EvolutionSettings()};
  view.spends([] { return "$0.12; $1.88 left"; });
  view.show(accepted(1.5, 1.5));
  view.show({{"event", "trying"}, {"strategy", "kThreads = 512"}});
  (void)testing::internal::GetCapturedStderr();
  const std::string all = view.status("timing 1/8");
  EXPECT_THAT(all, HasSubstr("; by a step of 1.50x (1.40..1.60); generation 0; 0 compiled, "));
  const std::string line = view.status("timing 1/8", 79);
  EXPECT_THAT(line, AllOf(HasSubstr(" s left; $0.12; $1.88 left; 1.50x over the first parent; "),
                          Not(HasSubstr("generation")), testing::EndsWith("; timing 1/8")));
  EXPECT_LE(line.size(), 79);
  EXPECT_EQ(view.status("timing 1/8", 10), "timing 1/8");
}

TEST(EvolutionView, ComparesGainsWithTheRegisteredKernelFromTheStart) {
  testing::internal::CaptureStderr();
  EvolutionView view{EvolutionSettings()};
  view.show({{"event", "seeds"},
             {"parent", "plain"},
             {"costs", {{"plain", 1.0}, {"fused", 0.25}}},
             {"registered", "fused"}});
  nlohmann::json event = accepted(1.5, 1.5);
  event["over_registered"] = 0.375;
  view.show(event);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              AllOf(HasSubstr("begins with plain; fused takes 0.25 times as long\n"),
                    HasSubstr("the registered kernel fused is 4.00x over plain; "),
                    HasSubstr("1.50x over the first parent, 0.38x over fused\n")));
}

TEST(EvolutionView, ShowsTheBestSpeedUpWithTheIntervalOfItsRace) {
  testing::internal::CaptureStderr();
  EvolutionView view{EvolutionSettings()};
  view.show(accepted(1.5, 1.5));
  const std::string first = "1.50x over the first parent; by a step of 1.50x (1.40..1.60)";
  EXPECT_THAT(view.status("racing"), AllOf(HasSubstr(first + "; "), HasSubstr("1 accepted; ")));
  view.show(accepted(1.2, 1.5));  // another is faster still
  EXPECT_THAT(view.status("racing"), AllOf(HasSubstr(first + "; "), HasSubstr("2 accepted; ")));
  view.show(accepted(2.0, 3.0));
  EXPECT_THAT(view.status("racing"),
              HasSubstr("3.00x over the first parent; by a step of 2.00x (1.90..2.10)"));
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("2.00x (1.90..2.10) over its parent, 3.00x over the first parent\n"));
}

TEST(EvolutionView, ShowsWhatModelsCostBesideTheTime) {
  EvolutionView view{EvolutionSettings()};
  view.spends([] { return "$0.12, 3400 tokens, 3 calls so far; $1.88 left"; });
  EXPECT_THAT(view.status("racing"),
              HasSubstr(" s left; $0.12, 3400 tokens, 3 calls so far; $1.88 left; "));
}

TEST(EvolutionView, LetsNoTextOfAModelSteerTheTerminal) {
  testing::internal::CaptureStderr();
  EvolutionView view{EvolutionSettings()};
  view.show(proposal(1, "raced", "refused"));
  view.show(accepted(1.5, 1.5));
  view.show({{"event", "trying"}, {"strategy", steers}});
  view.show({{"event", "confirming"}, {"strategy", steers}});
  view.note(steers);
  const std::string lines = testing::internal::GetCapturedStderr();
  EXPECT_THAT(lines, AllOf(HasSubstr(steers_not), Not(HasSubstr("\x1b"))));
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 4) << lines;
  EXPECT_THAT(view.status("racing"), AllOf(HasSubstr(steers_not), Not(HasSubstr("\n"))));

  RunRow run{.id = "adding.forward.cpu.1", .entry = {"adding", Direction::forward}};
  run.stop_reason = steers;
  run.state = "ended";
  run.winner = 3;
  run.summary = {{"outcome", "accepted"},
                 {"strategy", steers},
                 {"source", "kernel.cpp"},
                 {"in_search", {{"parent", 2.0}}}};
  const std::string summary = EvolutionView::summary(run);
  EXPECT_THAT(
      summary,
      AllOf(HasSubstr("proposal 3, not confirmed: " + std::string(steers_not) + "\n"),
            HasSubstr("ended by: " + std::string(steers_not) + "\n"), Not(HasSubstr("\x1b"))));
}

}  // namespace
}  // namespace robust_kbench
