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
  std::int64_t first = 0;  // the prompt for the first proposal, with all recommendations
  std::vector<std::int64_t> headers = {};  // each that kernels may include
  std::int64_t configs = 0;                // that are timed: their number
  std::int64_t reviewed = 0;               // the longest source that is reviewed; 0: not known yet
};

// What a text takes in a request, which is JSON.
std::int64_t json_bytes(const std::string& text);

// Questions of one kind.
struct PlannedQuestions {
  std::string stage;
  std::vector<std::string> models;  // each question may be for any of them
  std::int64_t questions = 0;       // at most
  std::int64_t input_bytes = 0;     // of a request, at most
  int output_tokens = 0;            // at most

  friend bool operator==(const PlannedQuestions&, const PlannedQuestions&) = default;
};

// The generations that a plan counts: those of the settings, or 10 where these set no limit.
int planned_generations(const EvolutionSettings& settings);

// The most that a run of these settings asks in so many generations. Every proposal may be a
// model's. Every prompt is as long as its parts may be, and every answer is used up to its limit.
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

// What questions come to at most.
struct SpendingBound {
  std::int64_t questions = 0;
  std::int64_t attempts = 0;
  std::int64_t tokens = 0;
  std::optional<MicroDollars> cost = MicroDollars{};  // none: some model has no price

  SpendingBound& operator+=(const SpendingBound& other);
  friend bool operator==(const SpendingBound&, const SpendingBound&) = default;
};

// What one attempt reserves at most.
using ReservationOf = std::function<Reservation(const std::string& model, std::int64_t input_bytes,
                                                int output_tokens)>;

// Each question counts with all of its attempts (llm/robust_kbench_llm/retry.py), and as the
// dearest of its models.
SpendingBound bound_of(const std::vector<PlannedQuestions>& planned,
                       const ReservationOf& reservation_of);

}  // namespace robust_kbench
