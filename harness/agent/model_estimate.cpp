#include "agent/model_estimate.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

bool asks_a_person(const EvolutionSettings& settings) {
  return settings.transport == "manual";
}

}  // namespace

std::string likely_text(const LikelySpending& spending, const EvolutionSettings& settings) {
  if (asks_a_person(settings)) {
    return fmt::format("up to {} questions to a person", spending.most_questions);
  }
  return fmt::format(
      "{} of up to {} questions, with {} tokens, for {}", spending.questions,
      spending.most_questions, spending.tokens,
      spending.cost ? to_text(*spending.cost) : "an unknown amount, as a model has no price");
}

std::string limit_sentences(const ModelUse& use, const EvolutionSettings& settings) {
  if (asks_a_person(settings)) return "";
  return fmt::format(" {} At most it costs {}.", planning_assumptions(), use.cap_text(settings));
}

std::string spending_sentences(const ModelUse& use, const LikelySpending& spending,
                               const EvolutionSettings& settings) {
  constexpr double seconds_per_minute = 60;
  const std::string time =
      asks_a_person(settings)
          ? " A person's time has no limit."
          : fmt::format(" An attempt waits for its answer for at most {:g} minutes.",
                        settings.model_seconds / seconds_per_minute);
  return fmt::format("Likely: {}.{}{}", likely_text(spending, settings),
                     limit_sentences(use, settings), time);
}

std::string model_estimate(const ModelUse& use, const LikelySpending& spending,
                           const EvolutionSettings& settings, bool translates) {
  const std::string limit =
      settings.max_generations > 0
          ? ""
          : ", and no setting limits these (max_generations), so that only time or a cap does";
  return fmt::format("Likely for {} generations{}: {}.{} The search takes at most {:g} minutes{}.",
                     planned_generations(settings), limit, likely_text(spending, settings),
                     limit_sentences(use, settings), settings.minutes,
                     translates ? ", after the translation" : "");
}

}  // namespace robust_kbench
