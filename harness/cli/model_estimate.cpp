#include "cli/model_estimate.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

bool asks_a_person(const EvolutionSettings& settings) {
  return settings.transport == "manual";
}

std::string how_it_counts(const EvolutionSettings& settings) {
  if (asks_a_person(settings)) return "";
  return " It counts each question four times, as if all of its retries were needed, all that a "
         "prompt may show, each answer up to its limit, and the dearest model. A cap ends all of "
         "it "
         "earlier.";
}

}  // namespace

SpendingBound model_bound(ModelUse& use, const EvolutionSettings& settings,
                          const std::vector<PlannedQuestions>& planned) {
  if (asks_a_person(settings)) {
    return bound_of(planned, [](const auto&, auto, auto) { return Reservation{}; });
  }
  Helper& helper = use.helper(settings);
  return bound_of(planned, [&](const std::string& model, std::int64_t input_bytes, int tokens) {
    return helper.estimate(model, input_bytes, tokens);
  });
}

std::string bound_text(const SpendingBound& bound, const EvolutionSettings& settings) {
  if (asks_a_person(settings)) return fmt::format("{} questions to a person", bound.questions);
  return fmt::format(
      "{} questions in up to {} attempts, with {} tokens, for {}", bound.questions, bound.attempts,
      bound.tokens,
      bound.cost ? to_text(*bound.cost) : "an unknown amount, as a model has no price");
}

std::string bound_sentences(const SpendingBound& bound, const EvolutionSettings& settings) {
  constexpr double seconds_per_minute = 60;
  const std::string time =
      asks_a_person(settings)
          ? " A person's time has no limit."
          : fmt::format(" An attempt waits for its answer for at most {:g} minutes.",
                        settings.model_seconds / seconds_per_minute);
  return fmt::format("Upper bound: {}.{}{}", bound_text(bound, settings), how_it_counts(settings),
                     time);
}

std::string model_estimate(const SpendingBound& bound, const EvolutionSettings& settings,
                           bool translates) {
  const std::string limit =
      settings.max_generations > 0
          ? ""
          : ", and no setting limits these (max_generations), so that only a cap does";
  return fmt::format(
      "Upper bound for {} generations{}: {}.{} The search takes at most {:g} "
      "minutes{}.",
      planned_generations(settings), limit, bound_text(bound, settings), how_it_counts(settings),
      settings.minutes, translates ? ", after the translation" : "");
}

}  // namespace robust_kbench
