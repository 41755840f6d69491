#include "runs/model_choices.hpp"

#include "core/error.hpp"
#include "evolve/preset.hpp"
#include "run_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

// A key of each of two providers, and no configuration.
Surroundings with_keys(const std::string& build_tool = "") {
  return {.variables = {{"OPENAI_API_KEY", "planted"}, {"ANTHROPIC_API_KEY", "planted"}},
          .build_tool = build_tool,
          .configuration = "/nonexistent/config.json"};
}

EvolutionSettings with(std::vector<std::string> proposers, std::vector<std::string> models = {}) {
  EvolutionSettings settings;
  settings.proposers = std::move(proposers);
  settings.models = std::move(models);
  return settings;
}

// The settings that a run gets, and what stderr says.
struct Resolved {
  EvolutionSettings settings;
  std::string said;
};
Resolved resolved(ModelChoices& choices, const EvolutionSettings& settings) {
  testing::internal::CaptureStderr();
  Resolved result{.settings = choices.resolved(settings), .said = {}};
  result.said = testing::internal::GetCapturedStderr();
  return result;
}

const CapTexts two_dollars{.max_usd = "2", .max_tokens = {}, .max_calls = {}};

TEST(ModelChoices, TakesTheDefaultsOfProvidersWithAKeyUnderACap) {
  ModelChoices choices(helper_of_sources, two_dollars, with_keys());
  EXPECT_TRUE(choices.is_default());
  EXPECT_EQ(choices.preset(""), settings_with_models());
  const EvolutionSettings settings = resolved(choices, with({"auto"})).settings;
  EXPECT_THAT(settings.proposers, ElementsAre("llm", "tune"));
  EXPECT_THAT(settings.models, AllOf(SizeIs(2), Contains(StartsWith("openai/")),
                                     Contains(StartsWith("anthropic/"))));
  EXPECT_NE(settings.verifier_model, "");
}

TEST(ModelChoices, StaysOfflineWithoutACapAndSaysHowToTurnModelsOn) {
  ModelChoices choices(helper_of_sources, {}, with_keys());
  EXPECT_FALSE(choices.is_default());
  EXPECT_EQ(choices.preset(""), EvolutionSettings());
  for (const auto& settings : {with({"auto"}), with({"llm"}, {"openai/gpt-4.1"})}) {
    const Resolved offline = resolved(choices, settings);
    EXPECT_THAT(offline.settings.proposers, ElementsAre("transform", "tune"));
    EXPECT_THAT(offline.settings.models, IsEmpty());
    EXPECT_THAT(offline.said, HasSubstr("--max-usd"));
  }
}

TEST(ModelChoices, SaysNothingWhereNoModelIsWanted) {
  ModelChoices choices(helper_of_sources, {}, nobody);
  EXPECT_EQ(resolved(choices, with({"auto"})).said, "");
  const Resolved tune = resolved(choices, with({"tune"}));
  EXPECT_THAT(tune.settings.proposers, ElementsAre("tune"));
  EXPECT_EQ(tune.said, "");
}

TEST(ModelChoices, StaysOfflineWithoutAKeyAndSaysSo) {
  ModelChoices choices(helper_of_sources, two_dollars, nobody);
  EXPECT_FALSE(choices.is_default());
  const Resolved offline = resolved(choices, with({"llm"}));
  EXPECT_THAT(offline.settings.proposers, ElementsAre("transform", "tune"));
  EXPECT_THAT(offline.said, HasSubstr("OPENAI_API_KEY"));
}

TEST(ModelChoices, TakesNoCapOfARepositoryForOne) {
  EvolutionSettings committed = with({"llm"}, {"openai/gpt-4.1"});
  committed.max_usd = 100;
  ModelChoices choices(helper_of_sources, {}, with_keys());
  EXPECT_THAT(resolved(choices, committed).settings.proposers, ElementsAre("transform", "tune"));
}

TEST(ModelChoices, TakesNoOptionForACapBelowABuildTool) {
  ModelChoices choices(helper_of_sources, two_dollars, with_keys("ninja"));
  EXPECT_FALSE(choices.is_default());
  const Resolved offline = resolved(choices, with({"llm"}, {"openai/gpt-4.1"}));
  EXPECT_THAT(offline.settings.proposers, ElementsAre("transform", "tune"));
  EXPECT_THAT(offline.said, AllOf(HasSubstr("below ninja"), HasSubstr("/nonexistent/config.json")));
}

TEST(ModelChoices, ReplacesModelsThatAreRetiredAndSaysSo) {
  ModelChoices choices(helper_of_sources, two_dollars, with_keys());
  const std::string retired = "anthropic/claude-3-7-sonnet-20250219";
  const Resolved replaced = resolved(choices, with({"llm"}, {retired}));
  EXPECT_THAT(replaced.settings.models, ElementsAre(Not(retired)));
  EXPECT_THAT(replaced.said,
              AllOf(HasSubstr(retired + " is retired"), HasSubstr(replaced.settings.models[0])));
}

TEST(ModelChoices, KeepsNoKeyInItsSurroundings) {
  const ModelChoices choices(helper_of_sources, two_dollars, with_keys());
  EXPECT_EQ(choices.surroundings().variable("OPENAI_API_KEY"), "");
  EXPECT_THAT(choices.surroundings().keys, ElementsAre("ANTHROPIC_API_KEY", "OPENAI_API_KEY"));
}

TEST(ModelChoices, BeginsWithThePapersModels) {
  const ModelChoices choices(helper_of_sources, two_dollars, with_keys());
  const EvolutionSettings paper = choices.preset("paper");
  EXPECT_THAT(paper.models, SizeIs(5));
  EXPECT_THAT(paper.proposers, ElementsAre("llm"));
  EXPECT_NE(paper.verifier_model, "");
}

TEST(ModelChoices, AsksAPersonWithoutCapOrKey) {
  ModelChoices choices(helper_of_sources, {}, nobody);
  EvolutionSettings manual = with({"llm"});
  manual.transport = "manual";
  const Resolved asked = resolved(choices, manual);
  EXPECT_THAT(asked.settings.proposers, ElementsAre("llm"));
  EXPECT_THAT(asked.settings.models, SizeIs(1));
  EXPECT_EQ(asked.said, "");
}

TEST(ModelChoices, RefusesWhatIsNoCap) {
  const ModelChoices choices(helper_of_sources,
                             {.max_usd = "much", .max_tokens = {}, .max_calls = {}}, with_keys());
  EXPECT_THROW((void)choices.is_default(), UserError);
}

}  // namespace
}  // namespace robust_kbench
