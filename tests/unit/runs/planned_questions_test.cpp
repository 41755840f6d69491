#include "runs/planned_questions.hpp"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::Pair;

// Three generations of two proposals each.
EvolutionSettings small() {
  EvolutionSettings settings;
  settings.models = {"a/one", "b/two"};
  settings.verifier_model = "c/three";
  settings.translate_model = "d/four";
  settings.max_generations = 3;
  settings.population = 2;
  settings.votes = "off";
  return settings;
}

std::map<std::string, std::int64_t> questions(const EvolutionSettings& settings, bool translates) {
  std::map<std::string, std::int64_t> all;
  for (const PlannedQuestions& kind : planned_questions(settings, translates, {})) {
    all[kind.stage] += kind.questions;
  }
  return all;
}

std::int64_t questions(const std::vector<PlannedQuestions>& planned) {
  std::int64_t all = 0;
  for (const PlannedQuestions& kind : planned) all += kind.questions;
  return all;
}

PlannedQuestions planned(const std::string& stage, const EvolutionSettings& settings,
                         const PromptSizes& sizes = {}) {
  for (const PlannedQuestions& kind : planned_questions(settings, true, sizes)) {
    if (kind.stage == stage) return kind;
  }
  return {};
}

TEST(PlannedQuestions, AreOneForEachProposal) {
  EXPECT_THAT(questions(small(), false), ElementsAre(Pair("propose", 6)));
  EvolutionSettings settings = small();
  settings.max_generations = 0;
  EXPECT_EQ(planned_generations(settings), 10);
  EXPECT_THAT(questions(settings, false), ElementsAre(Pair("propose", 20)));
}

TEST(PlannedQuestions, IncludeVerifiersProfilesAndTranslations) {
  EvolutionSettings settings = small();
  settings.votes = "audit";
  settings.reflections = 2;
  settings.profile_summary = "llm";
  settings.translate_attempts = 5;
  EXPECT_THAT(questions(settings, true),
              ElementsAre(Pair("profile", 6), Pair("propose", 6), Pair("translate", 5 + 4),
                          Pair("verify", 6 * 3 * 3)));
  settings.profile = false;
  settings.error_summary = false;
  EXPECT_THAT(questions(settings, true),
              ElementsAre(Pair("propose", 6), Pair("translate", 5), Pair("verify", 6 * 3 * 3)));
}

TEST(PlannedQuestions, HavePromptsAsLongAsTheFirstWithFurtherKernels) {
  const PromptSizes sizes{.first = 1000, .kernel = 200, .reviewed = 300};
  EvolutionSettings settings = small();
  settings.votes = "on";
  settings.context_size = 1;
  EXPECT_EQ(planned("propose", settings, sizes).input_bytes, 1000);
  settings.context_size = 3;
  EXPECT_EQ(planned("propose", settings, sizes).input_bytes, 1000 + 2 * 200);
  EXPECT_GT(planned("translate", settings, sizes).input_bytes, 1000);
  const std::int64_t more = planned("verify", settings, {1000, 200, 700}).input_bytes -
                            planned("verify", settings, sizes).input_bytes;
  EXPECT_EQ(more, 400);
}

TEST(PlannedQuestions, HaveNoLongerAnswersThanTheSettingsAllow) {
  EvolutionSettings settings = small();
  EXPECT_GT(planned("propose", settings).output_tokens, 100);
  settings.max_output_tokens = 100;
  EXPECT_EQ(planned("propose", settings).output_tokens, 100);
}

// `tune` makes its share of the proposals, and no model does.
TEST(PlannedQuestions, LeaveUnlikelyQuestionsOut) {
  EvolutionSettings settings = small();
  settings.votes = "on";
  settings.proposers = {"llm", "tune"};
  settings.tune_share = 0.5;
  settings.translate_attempts = 10;
  EXPECT_EQ(planned("propose", settings).likely, 3);
  EXPECT_EQ(planned("verify", settings).likely, 3 * 3);
  EXPECT_EQ(planned("translate", settings).likely, 3);
  settings.translate_exhaust = true;
  EXPECT_EQ(planned("translate", settings).likely, 10);
}

// The first instructions and three that are written are tried on four kernels, the best on two.
TEST(PlannedQuestions, OfTuningCoverAllGenerations) {
  EvolutionSettings settings = small();
  settings.writer_generations = 3;
  settings.reflections = 1;
  const std::int64_t reviews = 2 * (4 * 4 + 2);
  EXPECT_EQ(questions(planned_tuning(settings, {}, 4, 2)), reviews + 3 + 3);
  settings.writer_summary = false;
  EXPECT_EQ(questions(planned_tuning(settings, {}, 4, 2)), reviews + 3);
  settings.reflections = 0;
  EXPECT_EQ(questions(planned_tuning(settings, {}, 4, 2)), reviews / 2 + 3);
}

TEST(PlannedQuestions, CountTextAsARequestWritesIt) {
  EXPECT_EQ(json_bytes("a\n\"é"), 2 + 1 + 2 + 2 + 2);
}

}  // namespace
}  // namespace robust_kbench
