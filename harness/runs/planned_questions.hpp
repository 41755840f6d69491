#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "evolve/settings.hpp"

namespace robust_kbench {

// Lengths of what the prompts of a run show, in bytes of a request (json_bytes()).
struct PromptSizes {
  std::int64_t first = 0;     // the rendered prompt for the first proposal
  std::int64_t kernel = 0;    // the source of its parent, which it shows
  std::int64_t reviewed = 0;  // the mean source that is reviewed; 0: not known yet
};

// Returns the bytes that a text takes in a request, which is JSON.
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

// Returns the generations that a plan counts: those of the settings, or 10 where these set no
// limit.
int planned_generations(const EvolutionSettings& settings);

// Returns the questions of an evolution with these settings.
std::vector<PlannedQuestions> planned_questions(const EvolutionSettings& settings, bool translates,
                                                const PromptSizes& sizes);

// Returns the questions of a translation.
std::vector<PlannedQuestions> planned_translation(const EvolutionSettings& settings,
                                                  const PromptSizes& sizes);

// Returns the questions of that many reviews, each with its second looks.
std::vector<PlannedQuestions> planned_reviews(const EvolutionSettings& settings,
                                              const PromptSizes& sizes, std::int64_t reviews);

// Returns the questions of a verifier's tuning on `tuning` kernels, which `held_out` others judge.
std::vector<PlannedQuestions> planned_tuning(const EvolutionSettings& settings,
                                             const PromptSizes& sizes, std::int64_t tuning,
                                             std::int64_t held_out);

// Bytes of a token, which is what code and English have on the average.
inline constexpr std::int64_t bytes_per_token = 4;

// Says in sentences for a person what these numbers rest on.
std::string planning_assumptions();

}  // namespace robust_kbench
