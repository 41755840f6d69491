#include "runs/planned_questions.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "evolve/vote_plan.hpp"
#include "prompt/profile_summary.hpp"
#include "prompt/verifier_answer.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

constexpr int usual_generations = 10;  // where the settings have no limit

// The tokens of usual answers and the thoughts before them: a kernel, the summary of an error or of
// mistakes, a verdict, and instructions.
constexpr int usual_kernel = 4'000;
constexpr int usual_summary = 600;
constexpr int usual_verdict = 1'000;
constexpr int usual_instructions = 3'000;
// A translation is usually right after so many attempts.
constexpr std::int64_t usual_translation = 3;

std::int64_t bytes_of(int tokens) {
  return tokens * bytes_per_token;
}

void append(std::vector<PlannedQuestions>& planned, const std::vector<PlannedQuestions>& more) {
  planned.insert(planned.end(), more.begin(), more.end());
}

// The length of a prompt without the kernel that it shows.
std::int64_t around_kernel(const PromptSizes& sizes) {
  return sizes.first - std::min(sizes.kernel, sizes.first);
}

// Returns how many of the proposals models make, after the turns of `tune`.
std::int64_t proposed_by_models(const EvolutionSettings& settings, std::int64_t proposals) {
  const auto& proposers = settings.proposers;
  if (std::ranges::find(proposers, "tune") == proposers.end()) return proposals;
  return std::llround(static_cast<double>(proposals) * (1 - settings.tune_share));
}

std::vector<std::string> one_or(const std::string& model, const std::vector<std::string>& models) {
  return model.empty() ? models : std::vector<std::string>{model};
}

}  // namespace

std::int64_t json_bytes(const std::string& text) {
  // A file may have bytes that are no UTF-8. Its fence replaces them.
  constexpr auto replace = nlohmann::json::error_handler_t::replace;
  return static_cast<std::int64_t>(nlohmann::json(text).dump(-1, ' ', false, replace).size());
}

int planned_generations(const EvolutionSettings& settings) {
  return settings.max_generations > 0 ? settings.max_generations : usual_generations;
}

std::vector<PlannedQuestions> planned_questions(const EvolutionSettings& settings, bool translates,
                                                const PromptSizes& sizes) {
  const std::int64_t proposals =
      static_cast<std::int64_t>(planned_generations(settings)) * settings.population;
  const std::int64_t likely = proposed_by_models(settings, proposals);
  std::vector<PlannedQuestions> planned{
      {.stage = "propose",
       .models = settings.models,
       .questions = proposals,
       .likely = likely,
       .input_bytes = sizes.first + (settings.context_size - 1) * sizes.kernel,
       .output_tokens = std::min(usual_kernel, settings.max_output_tokens)}};
  // A model puts each new parent's profile into words, and each proposal may have a new one.
  if (settings.profile && settings.profile_summary == "llm") {
    planned.push_back({.stage = "profile",
                       .models = settings.models,
                       .questions = proposals,
                       .likely = likely,
                       .input_bytes = sizes.first,
                       .output_tokens = std::min(usual_summary, profile_summary_tokens)});
  }
  if (asks_verifiers(settings)) {
    const auto each = static_cast<std::int64_t>(std::size(verifiers));
    std::vector<PlannedQuestions> reviews = planned_reviews(settings, sizes, proposals * each);
    for (PlannedQuestions& looks : reviews) looks.likely = likely * each;
    append(planned, reviews);
  }
  if (translates) append(planned, planned_translation(settings, sizes));
  return planned;
}

std::vector<PlannedQuestions> planned_translation(const EvolutionSettings& settings,
                                                  const PromptSizes& sizes) {
  const std::int64_t likely =
      settings.translate_exhaust || settings.translate_independent
          ? settings.translate_attempts
          : std::min<std::int64_t>(usual_translation, settings.translate_attempts);
  PlannedQuestions attempts{
      .stage = "translate",
      .models = one_or(settings.translate_model, settings.models),
      .questions = settings.translate_attempts,
      .likely = likely,
      .input_bytes = sizes.first + bytes_of(usual_kernel),
      .output_tokens = std::min(usual_kernel, settings.translate_output_tokens)};
  std::vector<PlannedQuestions> planned{attempts};
  if (settings.error_summary && !settings.translate_independent) {
    attempts.questions -= 1;  // the last error is not condensed
    attempts.likely -= 1;
    attempts.output_tokens = std::min(usual_summary, settings.translate_output_tokens);
    planned.push_back(attempts);
  }
  return planned;
}

std::vector<PlannedQuestions> planned_reviews(const EvolutionSettings& settings,
                                              const PromptSizes& sizes, std::int64_t reviews) {
  const std::int64_t source = sizes.reviewed > 0 ? sizes.reviewed : sizes.kernel;
  PlannedQuestions looks{.stage = "verify",
                         .models = one_or(settings.verifier_model, settings.models),
                         .questions = reviews,
                         .likely = reviews,
                         .input_bytes = around_kernel(sizes) + source +
                                        json_bytes(settings.verifier_instructions.dump()),
                         .output_tokens = std::min(usual_verdict, settings.verifier_output_tokens)};
  std::vector<PlannedQuestions> planned{looks};
  if (settings.reflections > 0) {
    looks.questions *= settings.reflections;  // the second look usually agrees with the first
    looks.input_bytes += bytes_of(usual_verdict);
    planned.push_back(looks);
  }
  return planned;
}

std::vector<PlannedQuestions> planned_tuning(const EvolutionSettings& settings,
                                             const PromptSizes& sizes, std::int64_t tuning,
                                             std::int64_t held_out) {
  const std::int64_t generations = settings.writer_generations;
  // The first instructions are tried, too.
  const std::int64_t tried = generations + 1;
  // On the average half of those that were tried are shown.
  PlannedQuestions written{
      .stage = "tune_verifier",
      .models = settings.models,
      .questions = generations,
      .likely = generations,
      .input_bytes = around_kernel(sizes) + bytes_of(usual_instructions) * (tried / 2),
      .output_tokens = std::min(usual_instructions, settings.writer_output_tokens)};
  std::vector<PlannedQuestions> planned =
      planned_reviews(settings, sizes, tried * tuning + held_out);
  for (PlannedQuestions& looks : planned) looks.input_bytes += bytes_of(usual_instructions);
  planned.push_back(written);
  if (settings.writer_summary) {
    // Half of the verdicts are mistakes, whose kernels are shown.
    written.input_bytes =
        around_kernel(sizes) + tuning / 2 * (sizes.reviewed + bytes_of(usual_verdict));
    written.output_tokens = std::min(usual_summary, settings.writer_output_tokens);
    planned.push_back(written);
  }
  return planned;
}

std::string planning_assumptions() {
  return fmt::format(
      "This takes {} bytes of a rendered prompt for a token, today's prices without a cache, and "
      "usual answers with their thoughts: {} tokens for a kernel, {} for a verdict.",
      bytes_per_token, usual_kernel, usual_verdict);
}

}  // namespace robust_kbench
