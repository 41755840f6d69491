#include "evolve/preset.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;

TEST(Preset, OfThePaperHasItsHyperparameters) {
  const EvolutionSettings paper = paper_settings();
  EXPECT_EQ(paper.max_generations, 10);
  EXPECT_EQ(paper.population, 8);
  EXPECT_EQ(paper.evaluated, 4);
  EXPECT_EQ(paper.context_size, 5);
  EXPECT_EQ(paper.max_output_tokens, 8192);
  EXPECT_THAT(paper.temperatures, ElementsAre("0", "0.5", "0.75", "1"));
  EXPECT_THAT(paper.proposers, ElementsAre("llm"));
  EXPECT_EQ(paper.votes, "on");
  EXPECT_EQ(paper.profile_summary, "llm");
  EXPECT_EQ(paper.repairs, 0);
  EXPECT_EQ(paper.tune_share, 0);
  EXPECT_EQ(paper.translate_attempts, 10);
  EXPECT_THAT(paper.estimators, ElementsAre("events"));
}

// The checks of a kernel are no matter of taste.
TEST(Preset, OfThePaperWeakensNoCheck) {
  const EvolutionSettings usual;
  const EvolutionSettings paper = paper_settings();
  EXPECT_EQ(paper.slower_limit, usual.slower_limit);
  EXPECT_EQ(paper.level, usual.level);
  EXPECT_EQ(paper.deduplicate, usual.deduplicate);
}

TEST(Preset, WithModelsIsTheUsualOneButForItsEnd) {
  EvolutionSettings settings = settings_with_models();
  const EvolutionSettings usual;
  EXPECT_GT(settings.minutes, usual.minutes);
  EXPECT_GT(settings.max_generations, 0);
  settings.minutes = usual.minutes;
  settings.max_generations = usual.max_generations;
  settings.plateau = usual.plateau;
  EXPECT_EQ(settings, usual);
}

}  // namespace
}  // namespace robust_kbench
