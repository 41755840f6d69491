#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "evolve/settings.hpp"
#include "llm/transport.hpp"

namespace robust_kbench {

// Lengths of what prompts of a run show, in bytes of a request (json_bytes()).
struct PromptSizes {
  std::int64_t first = 0;     // the rendered prompt for the first proposal
  std::int64_t kernel = 0;    // the source of its parent, which it shows
  std::int64_t reviewed = 0;  // the mean source that is reviewed; 0: not known yet
};

// What a text takes in a request, which is JSON.
std::int64_t json_bytes(const std::string& text);

// Questions of one kind.
struct PlannedQuestions {
  std::string stage;
  std::vector<std::string> models;  // each question may be for any of them
  std::int64_t questions = 0;       // at most
  std::int64_t likely = 0;          // of these
  std::int64_t input_bytes = 0;     // of a request, as they usually are
  int output_tokens = 0;            // of an answer, as they usually are

  friend bool operator==(const PlannedQuestions&, const PlannedQuestions&) = default;
};

// The generations that a plan counts: those of the settings, or 10 where these set no limit.
int planned_generations(const EvolutionSettings& settings);

// What a run of these settings asks in so many generations.
std::vector<PlannedQuestions> planned_questions(const EvolutionSettings& settings, bool translates,
                                                const PromptSizes& sizes);

// The same of a translation alone.
std::vector<PlannedQuestions> planned_translation(const EvolutionSettings& settings,
                                                  const PromptSizes& sizes);

// The same of so many reviews, each with its second looks.
std::vector<PlannedQuestions> planned_reviews(const EvolutionSettings& settings,
                                              const PromptSizes& sizes, std::int64_t reviews);

// The same where a verifier is tuned on so many kernels, and judged by others.
std::vector<PlannedQuestions> planned_tuning(const EvolutionSettings& settings,
                                             const PromptSizes& sizes, std::int64_t tuning,
                                             std::int64_t held_out);

// What planned questions are likely to come to.
struct LikelySpending {
  std::int64_t most_questions = 0;
  std::int64_t questions = 0;
  std::int64_t tokens = 0;
  std::optional<MicroDollars> cost = MicroDollars{};  // none: some model has no price

  LikelySpending& operator+=(const LikelySpending& other);
  friend bool operator==(const LikelySpending&, const LikelySpending&) = default;
};

// What so many tokens cost; none: the model has no price.
using CostOf = std::function<std::optional<MicroDollars>(
    const std::string& model, std::int64_t input_tokens, int output_tokens)>;

// Each question is asked once, and costs the mean of its models.
LikelySpending likely_spending(const std::vector<PlannedQuestions>& planned, const CostOf& cost_of);

// What these figures rest on, in sentences for a person.
std::string planning_assumptions();

}  // namespace robust_kbench
