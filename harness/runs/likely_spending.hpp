#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "archive/micro_dollars.hpp"
#include "runs/model_use.hpp"
#include "runs/planned_questions.hpp"

namespace robust_kbench {

// The likely cost of planned questions.
struct LikelySpending {
  std::int64_t most_questions = 0;
  std::int64_t questions = 0;
  std::int64_t tokens = 0;
  std::optional<MicroDollars> cost = MicroDollars{};  // none: some model has no price

  LikelySpending& operator+=(const LikelySpending& other);
  friend bool operator==(const LikelySpending&, const LikelySpending&) = default;
};

// The cost of that many tokens; none: the model has no price.
using CostOf = std::function<std::optional<MicroDollars>(
    const std::string& model, std::int64_t input_tokens, int output_tokens)>;

// Returns the cost of the questions. Each is asked once, and costs the mean of its models.
LikelySpending likely_spending(const std::vector<PlannedQuestions>& planned, const CostOf& cost_of);

// Returns their cost by today's prices, which the helper knows. It is started for that. A person
// who answers costs nothing.
LikelySpending likely_spending(ModelUse& use, const EvolutionSettings& settings,
                               const std::vector<PlannedQuestions>& planned);

}  // namespace robust_kbench
