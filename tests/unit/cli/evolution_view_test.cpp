#include "cli/evolution_view.hpp"

#include "evolve/tuning_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

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

TEST(EvolutionView, ShowsWhatAnEmptyKernelTakes) {
  RunRow run{.id = "adding.forward.cuda.1", .entry = {"adding", Direction::forward}};
  run.summary["empty_us"] = {{"big", 2.5}, {"small", 2.25}};
  EXPECT_THAT(EvolutionView::summary(run), HasSubstr("an empty kernel takes 2.50 us on big\n"));
}

}  // namespace
}  // namespace robust_kbench
