#include "agent/evolution_view.hpp"

#include <algorithm>

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

TEST(EvolutionView, ShowsTheCostOfModelsBesideTheTime) {
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
}

}  // namespace
}  // namespace robust_kbench
