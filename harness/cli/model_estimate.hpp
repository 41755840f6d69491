#pragma once

#include <string>
#include <vector>

#include "cli/model_use.hpp"
#include "cli/planned_questions.hpp"
#include "evolve/settings.hpp"

namespace robust_kbench {

// What these questions are likely to come to. Starts the helper, which knows prices. A person who
// answers costs nothing.
LikelySpending model_spending(ModelUse& use, const EvolutionSettings& settings,
                              const std::vector<PlannedQuestions>& planned);

// "48 of up to 64 questions, with 500000 tokens, for $2.00": for a person. Only the number of
// questions where a person answers them.
std::string likely_text(const LikelySpending& spending, const EvolutionSettings& settings);

// What questions cost at most, which is the cap, and what likely_text() rests on.
std::string limit_sentences(const ModelUse& use, const EvolutionSettings& settings);

// What is likely for a command that has no limit of time, and how it is meant.
std::string spending_sentences(const ModelUse& use, const LikelySpending& spending,
                               const EvolutionSettings& settings);

// What is likely for one run of an evolution, with its minutes and how it is meant.
std::string model_estimate(const ModelUse& use, const LikelySpending& spending,
                           const EvolutionSettings& settings, bool translates);

}  // namespace robust_kbench
