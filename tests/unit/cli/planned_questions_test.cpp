#include "cli/planned_questions.hpp"

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

std::int64_t bytes_of(const std::string& stage, const EvolutionSettings& settings,
                      const PromptSizes& sizes) {
  for (const PlannedQuestions& kind : planned_questions(settings, true, sizes)) {
    if (kind.stage == stage) return kind.input_bytes;
  }
  return 0;
}

TEST(PlannedQuestions, AreOneForEachProposal) {
  EXPECT_THAT(questions(small(), false), ElementsAre(Pair("propose", 6)));
  EvolutionSettings settings = small();
  settings.max_generations = 0;
  EXPECT_EQ(planned_generations(settings), 10);
  EXPECT_THAT(questions(settings, false), ElementsAre(Pair("propose", 20)));
}

TEST(PlannedQuestions, HaveThoseOfVerifiersProfilesAndTranslations) {
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

// A kernel in a prompt has up to 60000 characters, each of up to four bytes.
TEST(PlannedQuestions, HaveRoomForAllThatAPromptMayShow) {
  constexpr std::int64_t source = 4 * 60'000;
  EvolutionSettings settings = small();
  settings.context_size = 1;
  const std::int64_t one = bytes_of("propose", settings, {.first = 100});
  EXPECT_GT(one, 100 + source);
  EXPECT_EQ(bytes_of("propose", settings, {.first = 300}), one + 200);
  EXPECT_GE(bytes_of("propose", settings, {.first = 100, .headers = {50, 10 * source}}),
            one + 50 + source);
  EXPECT_GT(bytes_of("propose", settings, {.first = 100, .configs = 4}), one);
  settings.context_size = 3;
  EXPECT_GE(bytes_of("propose", settings, {.first = 100}), one + 2 * source);
  EXPECT_GT(bytes_of("translate", settings, {.first = 100}), 100 + source);
}

// The first instructions and three that are written are tried on four kernels, the best on two.
TEST(PlannedQuestions, OfTuningAreThoseOfAllGenerations) {
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

TEST(PlannedQuestions, OfReviewsHaveRoomForTheLongestSource) {
  const auto bytes = [](std::int64_t reviewed) {
    return planned_reviews(small(), {.reviewed = reviewed}, 1).front().input_bytes;
  };
  EXPECT_EQ(bytes(5000) - bytes(1000), 4000);
  EXPECT_EQ(bytes(0), bytes(1'000'000)) << "a prompt shows no more of it";
}

TEST(PlannedQuestions, CountTextAsARequestWritesIt) {
  EXPECT_EQ(json_bytes("a\n\"é"), 2 + 1 + 2 + 2 + 2);
}

// Each question may be made in four attempts that cost, and again without each of six parameters.
TEST(PlannedQuestions, CostAllTheirAttemptsAtTheDearestModel) {
  const auto reservation = [](const std::string& model, std::int64_t input, int output) {
    const std::int64_t price = model == "b/two" ? 3 : 2;
    return Reservation{.input_tokens = input,
                       .output_tokens = output,
                       .cost = MicroDollars{price * (input + output)}};
  };
  SpendingBound bound = bound_of({{.stage = "propose",
                                   .models = {"a/one", "b/two"},
                                   .questions = 6,
                                   .input_bytes = 1000,
                                   .output_tokens = 10},
                                  {.stage = "verify",
                                   .models = {"a/one"},
                                   .questions = 1,
                                   .input_bytes = 20,
                                   .output_tokens = 5}},
                                 reservation);
  EXPECT_EQ(bound.questions, 7);
  EXPECT_EQ(bound.attempts, 70);
  EXPECT_EQ(bound.tokens, 4 * (6 * 1010 + 25));
  EXPECT_EQ(bound.cost, MicroDollars{4 * (6 * 3 * 1010 + 2 * 25)});
  bound += bound;
  EXPECT_EQ(bound.questions, 14);
  EXPECT_EQ(bound.cost, MicroDollars{8 * (6 * 3 * 1010 + 2 * 25)});
}

TEST(PlannedQuestions, HaveNoKnownCostWhereAModelHasNoPrice) {
  const auto reservation = [](const std::string& model, std::int64_t input, int) {
    return Reservation{.input_tokens = input,
                       .cost = model == "a/one" ? std::optional(MicroDollars{1}) : std::nullopt};
  };
  const SpendingBound bound = bound_of(
      {{.stage = "propose", .models = {"a/one", "b/two"}, .questions = 1, .input_bytes = 5}},
      reservation);
  EXPECT_EQ(bound.tokens, 4 * 5);
  EXPECT_EQ(bound.cost, std::nullopt);
}

}  // namespace
}  // namespace robust_kbench
