#include "agent/evolution_summary.hpp"

#include "evolve/tuning_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(EvolutionSummary, ShowsTheBestValuesOfEachConfigAndOfAll) {
  RunRow run{.id = "adding.forward.cpu.1", .entry = {"adding", Direction::forward}};
  run.summary["tuning"] = tuning_reports(
      {{.id = 2, .parent = 1, .setting = "n = 2", .speedups = {{"big", 2}, {"small", 0.9}}}});
  const std::string text = evolution_summary(run);
  EXPECT_THAT(text, HasSubstr("Values of kernel 1, 1 settings timed:\n"));
  EXPECT_THAT(text, HasSubstr("big              2.00x        2.00x  n = 2\n"));
  EXPECT_THAT(text, HasSubstr("small            1.00x        0.90x  as they are\n"));
  EXPECT_THAT(text, HasSubstr("One setting for all, n = 2, takes 5.4 % longer"));
}

TEST(EvolutionSummary, ShowsTheWinnersSpeedUpByOtherEstimators) {
  RunRow run{.id = "adding.forward.cuda.1", .entry = {"adding", Direction::forward}};
  run.state = RunState::ended;
  run.winner = 3;
  run.summary = {{"outcome", "accepted"},
                 {"strategy", "a warp for each sum"},
                 {"source", "kernel.cu"},
                 {"in_search", {{"parent", 2.0}}},
                 {"estimated", {{"events", {{"eager", 4.0}, {"parent", 2.0}}}}}};
  EXPECT_THAT(evolution_summary(run),
              HasSubstr("by the estimator events: 4.00x over eager, 2.00x over parent\n"));
}

// A stranger would else be told to run a command that refuses.
TEST(EvolutionSummary, NamesTheCommandThatAdoptsWhereItWould) {
  RunRow run{.id = "adding.forward.cpu.1", .entry = {"adding", Direction::forward}};
  run.state = RunState::ended;
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
      evolution_summary(run, " --archive /a"),
      AllOf(HasSubstr("`rkb archive adopt` would refuse it"), Not(HasSubstr("adopt it:")),
            HasSubstr("all of them: rkb archive show adding.forward.cpu.1 --archive /a\n")));
  run.summary["confirmed"]["registered"] = over(1.1);
  EXPECT_THAT(evolution_summary(run, " --archive /a"),
              HasSubstr("adopt it: rkb archive adopt adding.forward.cpu.1 --archive /a\n"));
  EXPECT_THAT(evolution_summary(run, "", "/p/adding.task.json"),
              HasSubstr("adopt adding.forward.cpu.1 --task /p/adding.task.json\n"));
}

TEST(EvolutionSummary, SaysThatNothingWasTried) {
  RunRow run{.id = "adding.forward.cpu.1", .entry = {"adding", Direction::forward}};
  run.state = RunState::ended;
  EXPECT_THAT(evolution_summary(run), HasSubstr("Nothing was tried."));
  run.summary = {{"proposals", 1}};
  EXPECT_THAT(evolution_summary(run), HasSubstr("Nothing was better"));
}

TEST(EvolutionSummary, SuggestsRunsWhereNothingWasFound) {
  RunRow run{.id = "adding.forward.cpu.1", .entry = {"adding", Direction::forward}};
  run.state = RunState::ended;
  run.stop_reason = "wall clock";
  run.settings = {{"minutes", 2.5}, {"proposers", {"transform", "tune"}}};
  run.summary = {{"proposals", 1},
                 {"seconds", 140},
                 {"seconds_to_come", 40},
                 {"seeds", {{"fused", 1.0}, {"plain", 4.0}}}};
  EXPECT_THAT(evolution_summary(run),
              AllOf(HasSubstr(": rkb evolve --task adding --direction forward --device cpu "
                              "--set minutes=9\n"),
                    HasSubstr(" --device cpu --seed-kernel plain\n"),
                    HasSubstr(" --device cpu --max-usd 2\n")));
  EXPECT_THAT(evolution_summary(run, "", "/p/adding.task.json"),
              HasSubstr(": rkb evolve --task /p/adding.task.json --direction forward "));
  run.stop_reason = "plateau";
  run.settings["proposers"] = {"llm", "tune"};
  run.summary["seeds"] = {{"fused", 0.25}, {"plain", 1.0}};
  EXPECT_THAT(evolution_summary(run), Not(HasSubstr("To look further")));
}

TEST(EvolutionSummary, SaysHowFastARunDecided) {
  RunRow run{.id = "adding.forward.cpu.1", .entry = {"adding", Direction::forward}};
  run.summary = {{"decided", 17}, {"decided_per_minute", 24.96}, {"first_decided_s", 12.3}};
  EXPECT_THAT(evolution_summary(run),
              HasSubstr("  17 candidates decided, 25.0 a minute; the first after 12 s\n"));
}

TEST(EvolutionSummary, ShowsTheTimeOfAnEmptyKernel) {
  RunRow run{.id = "adding.forward.cuda.1", .entry = {"adding", Direction::forward}};
  run.summary["empty_us"] = {{"big", 2.5}, {"small", 2.25}};
  EXPECT_THAT(evolution_summary(run), HasSubstr("an empty kernel takes 2.50 us on big\n"));
}

TEST(EvolutionSummary, LetsNoTextOfAModelSteerTheTerminal) {
  const std::string steers = "scale\x1b[2J\nACCEPTED";
  const std::string escaped = R"(scale\x1b[2J\x0aACCEPTED)";
  RunRow run{.id = "adding.forward.cpu.1", .entry = {"adding", Direction::forward}};
  run.stop_reason = steers;
  run.state = RunState::ended;
  run.winner = 3;
  run.summary = {{"outcome", "accepted"},
                 {"strategy", steers},
                 {"source", "kernel.cpp"},
                 {"in_search", {{"parent", 2.0}}}};
  const std::string summary = evolution_summary(run);
  EXPECT_THAT(summary, AllOf(HasSubstr("proposal 3, not confirmed: " + escaped + "\n"),
                             HasSubstr("ended by: " + escaped + "\n"), Not(HasSubstr("\x1b"))));
}

}  // namespace
}  // namespace robust_kbench
