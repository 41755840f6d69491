#include "cli/model_use.hpp"

#include "built_program.hpp"
#include "core/error.hpp"
#include "evolve/preset.hpp"

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
Resolved resolved(ModelUse& use, const EvolutionSettings& settings) {
  testing::internal::CaptureStderr();
  Resolved result{.settings = use.resolved(settings), .said = {}};
  result.said = testing::internal::GetCapturedStderr();
  return result;
}

const CapTexts two_dollars{.max_usd = "2", .max_tokens = {}, .max_calls = {}};

TEST(ModelUse, TakesTheDefaultsOfProvidersWithAKeyUnderACap) {
  ModelUse use(helper_of_sources, two_dollars, with_keys());
  EXPECT_TRUE(use.is_default());
  EXPECT_EQ(use.preset(""), settings_with_models());
  const EvolutionSettings settings = resolved(use, with({"auto"})).settings;
  EXPECT_THAT(settings.proposers, ElementsAre("llm", "tune"));
  EXPECT_THAT(settings.models, AllOf(SizeIs(2), Contains(StartsWith("openai/")),
                                     Contains(StartsWith("anthropic/"))));
  EXPECT_NE(settings.verifier_model, "");
}

TEST(ModelUse, StaysOfflineWithoutACapAndSaysHowToTurnModelsOn) {
  ModelUse use(helper_of_sources, {}, with_keys());
  EXPECT_FALSE(use.is_default());
  EXPECT_EQ(use.preset(""), EvolutionSettings());
  for (const auto& settings : {with({"auto"}), with({"llm"}, {"openai/gpt-4.1"})}) {
    const Resolved offline = resolved(use, settings);
    EXPECT_THAT(offline.settings.proposers, ElementsAre("transform", "tune"));
    EXPECT_THAT(offline.settings.models, IsEmpty());
    EXPECT_THAT(offline.said, HasSubstr("--max-usd"));
  }
}

TEST(ModelUse, SaysNothingOfModelsWhereNobodyThoughtOfThem) {
  ModelUse use(helper_of_sources, {}, {.configuration = "/nonexistent/config.json"});
  EXPECT_EQ(resolved(use, with({"auto"})).said, "");
  const Resolved tune = resolved(use, with({"tune"}));
  EXPECT_THAT(tune.settings.proposers, ElementsAre("tune"));
  EXPECT_EQ(tune.said, "");
}

TEST(ModelUse, StaysOfflineWithoutAKeyAndSaysSo) {
  ModelUse use(helper_of_sources, two_dollars, {.configuration = "/nonexistent/config.json"});
  EXPECT_FALSE(use.is_default());
  const Resolved offline = resolved(use, with({"llm"}));
  EXPECT_THAT(offline.settings.proposers, ElementsAre("transform", "tune"));
  EXPECT_THAT(offline.said, HasSubstr("OPENAI_API_KEY"));
}

TEST(ModelUse, TakesNoCapOfARepositoryForOne) {
  EvolutionSettings committed = with({"llm"}, {"openai/gpt-4.1"});
  committed.max_usd = 100;
  ModelUse use(helper_of_sources, {}, with_keys());
  EXPECT_THAT(resolved(use, committed).settings.proposers, ElementsAre("transform", "tune"));
}

TEST(ModelUse, TakesNoOptionForACapBelowABuildTool) {
  ModelUse use(helper_of_sources, two_dollars, with_keys("ninja"));
  EXPECT_FALSE(use.is_default());
  const Resolved offline = resolved(use, with({"llm"}, {"openai/gpt-4.1"}));
  EXPECT_THAT(offline.settings.proposers, ElementsAre("transform", "tune"));
  EXPECT_THAT(offline.said, AllOf(HasSubstr("below ninja"), HasSubstr("/nonexistent/config.json")));
}

TEST(ModelUse, ReplacesModelsThatAreRetiredAndSaysSo) {
  ModelUse use(helper_of_sources, two_dollars, with_keys());
  const std::string retired = "anthropic/claude-3-7-sonnet-20250219";
  const Resolved replaced = resolved(use, with({"llm"}, {retired}));
  EXPECT_THAT(replaced.settings.models, ElementsAre(Not(retired)));
  EXPECT_THAT(replaced.said,
              AllOf(HasSubstr(retired + " is retired"), HasSubstr(replaced.settings.models[0])));
}

TEST(ModelUse, KeepsNoKeyInItsSurroundings) {
  const ModelUse use(helper_of_sources, two_dollars, with_keys());
  EXPECT_EQ(use.surroundings().variable("OPENAI_API_KEY"), "");
  EXPECT_THAT(use.surroundings().keys, ElementsAre("ANTHROPIC_API_KEY", "OPENAI_API_KEY"));
}

TEST(ModelUse, BeginsWithThePapersModels) {
  const ModelUse use(helper_of_sources, two_dollars, with_keys());
  const EvolutionSettings paper = use.preset("paper");
  EXPECT_THAT(paper.models, SizeIs(5));
  EXPECT_THAT(paper.proposers, ElementsAre("llm"));
  EXPECT_NE(paper.verifier_model, "");
}

TEST(ModelUse, AsksAPersonWithoutCapOrKey) {
  ModelUse use(helper_of_sources, {}, {.configuration = "/nonexistent/config.json"});
  EvolutionSettings manual = with({"llm"});
  manual.transport = "manual";
  const Resolved asked = resolved(use, manual);
  EXPECT_THAT(asked.settings.proposers, ElementsAre("llm"));
  EXPECT_THAT(asked.settings.models, SizeIs(1));
  EXPECT_EQ(asked.said, "");
}

TEST(ModelUse, RefusesWhatIsNoCap) {
  const ModelUse use(helper_of_sources, {.max_usd = "much", .max_tokens = {}, .max_calls = {}},
                     with_keys());
  EXPECT_THROW((void)use.is_default(), UserError);
}

}  // namespace
}  // namespace robust_kbench
