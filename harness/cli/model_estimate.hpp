#pragma once

#include <string>
#include <vector>

#include "cli/model_use.hpp"
#include "cli/planned_questions.hpp"
#include "evolve/settings.hpp"

namespace robust_kbench {

// What these questions come to at most. Starts the helper, which knows prices. A person who answers
// costs nothing.
SpendingBound model_bound(ModelUse& use, const EvolutionSettings& settings,
                          const std::vector<PlannedQuestions>& planned);

// "480 questions in up to 4800 attempts, with 5000000 tokens, for $12.00": for a person. Only the
// number of questions where a person answers them.
std::string bound_text(const SpendingBound& bound, const EvolutionSettings& settings);

// The bound of a command that has no limit of time, and how it is meant.
std::string bound_sentences(const SpendingBound& bound, const EvolutionSettings& settings);

// The bound of one run of an evolution, with its minutes and how it is meant.
std::string model_estimate(const SpendingBound& bound, const EvolutionSettings& settings,
                           bool translates);

}  // namespace robust_kbench
