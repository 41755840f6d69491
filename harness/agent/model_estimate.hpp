#pragma once

#include <string>

#include "evolve/settings.hpp"
#include "runs/likely_spending.hpp"
#include "runs/model_use.hpp"

namespace robust_kbench {

// Returns a text such as "48 of up to 64 questions, with 500000 tokens, for $2.00". It is the
// number of questions alone where a person answers them.
std::string likely_text(const LikelySpending& spending, const EvolutionSettings& settings);

// Says that the cap limits what questions cost, and what likely_text() rests on.
std::string limit_sentences(const ModelUse& use, const EvolutionSettings& settings);

// Says what a command without a limit of time is likely to cost, and how that is meant.
std::string spending_sentences(const ModelUse& use, const LikelySpending& spending,
                               const EvolutionSettings& settings);

// Says what an evolution is likely to cost, with its minutes, and how that is meant.
std::string model_estimate(const ModelUse& use, const LikelySpending& spending,
                           const EvolutionSettings& settings, bool translates);

}  // namespace robust_kbench
