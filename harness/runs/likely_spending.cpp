#include "runs/likely_spending.hpp"

#include <algorithm>
#include <iterator>

namespace robust_kbench {

LikelySpending& LikelySpending::operator+=(const LikelySpending& other) {
  most_questions += other.most_questions;
  questions += other.questions;
  tokens += other.tokens;
  cost = cost && other.cost ? std::optional(*cost + *other.cost) : std::nullopt;
  return *this;
}

LikelySpending likely_spending(const std::vector<PlannedQuestions>& planned,
                               const CostOf& cost_of) {
  LikelySpending all;
  for (const PlannedQuestions& kind : planned) {
    const std::int64_t input = kind.input_bytes / bytes_per_token;
    LikelySpending own{.most_questions = kind.questions,
                       .questions = kind.likely,
                       .tokens = kind.likely * (input + kind.output_tokens)};
    std::optional<std::int64_t> sum = 0;
    for (const std::string& model : kind.models) {
      const auto one = cost_of(model, input, kind.output_tokens);
      sum = sum && one ? std::optional(*sum + one->count) : std::nullopt;
    }
    const auto models = std::max<std::int64_t>(1, std::ssize(kind.models));
    own.cost = sum ? std::optional(MicroDollars{kind.likely * *sum / models}) : std::nullopt;
    all += own;
  }
  return all;
}

LikelySpending likely_spending(ModelUse& use, const EvolutionSettings& settings,
                               const std::vector<PlannedQuestions>& planned) {
  if (settings.transport == "manual") {
    return likely_spending(planned, [](const auto&, auto, auto) { return MicroDollars{}; });
  }
  Helper& helper = use.helper(settings);
  return likely_spending(planned, [&](const std::string& model, std::int64_t input, int output) {
    return helper.usual_cost(model, input, output);
  });
}

}  // namespace robust_kbench
