#include "runs/likely_spending.hpp"

#include "run_fixture.hpp"

namespace robust_kbench {
namespace {

// A token has four bytes.
TEST(LikelySpending, IsTheMeanOfAQuestionsModels) {
  const auto cost = [](const std::string& model, std::int64_t input, int output) {
    const std::int64_t price = model == "b/two" ? 3 : 1;
    return std::optional(MicroDollars{price * (input + output)});
  };
  LikelySpending likely = likely_spending({{.stage = "propose",
                                            .models = {"a/one", "b/two"},
                                            .questions = 8,
                                            .likely = 6,
                                            .input_bytes = 4000,
                                            .output_tokens = 10},
                                           {.stage = "verify",
                                            .models = {"a/one"},
                                            .questions = 1,
                                            .likely = 1,
                                            .input_bytes = 80,
                                            .output_tokens = 5}},
                                          cost);
  EXPECT_EQ(likely.most_questions, 9);
  EXPECT_EQ(likely.questions, 7);
  EXPECT_EQ(likely.tokens, 6 * 1010 + 25);
  EXPECT_EQ(likely.cost, MicroDollars{6 * 2 * 1010 + 25});
  likely += likely;
  EXPECT_EQ(likely.questions, 14);
  EXPECT_EQ(likely.cost, MicroDollars{2 * (6 * 2 * 1010 + 25)});
}

TEST(LikelySpending, HasNoCostWhereAModelHasNoPrice) {
  const auto cost = [](const std::string& model, std::int64_t, int) {
    return model == "a/one" ? std::optional(MicroDollars{1}) : std::nullopt;
  };
  const LikelySpending likely = likely_spending(
      {{.stage = "propose", .models = {"a/one", "b/two"}, .questions = 1, .likely = 1}}, cost);
  EXPECT_EQ(likely.questions, 1);
  EXPECT_EQ(likely.cost, std::nullopt);
}

TEST(LikelySpending, OfAPersonIsNothing) {
  ModelUse use(helper_of_sources, {}, nobody);
  EvolutionSettings settings;
  settings.transport = "manual";
  const LikelySpending likely = likely_spending(
      use, settings,
      {{.stage = "verify", .models = {"manual/person"}, .questions = 2, .likely = 1}});
  EXPECT_EQ(likely.cost, MicroDollars{});
  EXPECT_EQ(likely.most_questions, 2);
}

}  // namespace
}  // namespace robust_kbench
