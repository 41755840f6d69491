#include "cli/model_estimate.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include <fmt/format.h>

namespace robust_kbench {
namespace {

constexpr int usual_generations = 10;  // where the settings have no limit

struct Bound {
  std::int64_t calls = 0;
  std::int64_t tokens = 0;
  std::optional<MicroDollars> cost = MicroDollars{};
};

// `calls` more, each to the dearest of the models.
void add(Bound& bound, Helper& helper, const std::vector<std::string>& models, std::int64_t calls,
         std::int64_t input_bytes, int output_tokens) {
  std::optional<MicroDollars> dearest = MicroDollars{};
  std::int64_t tokens = 0;
  for (const std::string& model : models) {
    const Reservation one = helper.estimate(model, input_bytes, output_tokens);
    tokens = std::max(tokens, one.tokens());
    dearest = dearest && one.cost ? std::optional(std::max(*dearest, *one.cost)) : std::nullopt;
  }
  bound.calls += calls;
  bound.tokens += calls * tokens;
  bound.cost = bound.cost && dearest
                   ? std::optional(*bound.cost + MicroDollars{calls * dearest->count})
                   : std::nullopt;
}

}  // namespace

std::string model_estimate(ModelUse& use, const EvolutionSettings& settings,
                           std::size_t prompt_bytes, std::size_t kernel_bytes) {
  Helper& helper = use.helper(settings);
  const int generations =
      settings.max_generations > 0 ? settings.max_generations : usual_generations;
  const auto proposals = static_cast<std::int64_t>(generations) * settings.population;
  const auto input = static_cast<std::int64_t>(
      prompt_bytes + static_cast<std::size_t>(settings.context_size) * kernel_bytes);
  Bound bound;
  add(bound, helper, settings.models, proposals, input, settings.max_output_tokens);
  if (settings.votes == "on" || settings.votes == "audit") {
    constexpr int verifiers = 3;
    add(bound, helper, {settings.verifier_model},
        proposals * verifiers * (1 + settings.reflections), input, settings.verifier_output_tokens);
  }
  if (settings.translate) {
    const std::vector<std::string> translators =
        settings.translate_model.empty() ? settings.models
                                         : std::vector<std::string>{settings.translate_model};
    const std::int64_t questions = settings.error_summary ? 2 : 1;  // of an attempt
    add(bound, helper, translators, questions * settings.translate_attempts, input,
        settings.translate_output_tokens);
  }
  const std::string dollars =
      bound.cost ? to_text(*bound.cost) : "an unknown amount, as a model has no price";
  return fmt::format(
      "In {} generations models are asked at most {} times, without retries, with {} tokens, for "
      "{}. It takes at most {:g} minutes. A cap ends all of it earlier.",
      generations, bound.calls, bound.tokens, dollars, settings.minutes);
}

}  // namespace robust_kbench
