#include "cli/planned_questions.hpp"

#include <algorithm>
#include <iterator>

#include "evolve/profile_summary.hpp"
#include "evolve/verifier_answer.hpp"
#include "evolve/vote_plan.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

constexpr int usual_generations = 10;  // where the settings have no limit

// Attempts of a question that may be charged, as llm/robust_kbench_llm/retry.py makes them. An
// endpoint may turn a parameter away, which costs nothing, and the attempt is made again without.
// tests/llm/dry_run_test.py holds these and the lengths below to the helper's.
constexpr std::int64_t charged_attempts = 4;
constexpr std::int64_t rejected_parameters = 6;

// A character of a fence has at most four bytes. An escape in JSON has two.
constexpr std::int64_t character = 4;
// What llm/robust_kbench_llm/foreign_text.py shows of one text.
constexpr std::int64_t source = 60'000 * character;
constexpr std::int64_t answer = 20'000 * character;
constexpr std::int64_t message = 6'000 * character;
constexpr std::int64_t list = 8'000 * character;
constexpr std::int64_t instructions = 8'000 * character;
constexpr std::int64_t strategy_line = 200 * character;
// Around these: a part's labels, marks and titles, a config's line, and what a request has beside
// its messages, such as a schema.
constexpr std::int64_t frame = 1'000;
constexpr std::int64_t config_line = 500;
constexpr std::int64_t members = 10'000;

struct Lengths {
  std::int64_t propose, translate, condense, verify, profile;
};

std::int64_t reviewed_bytes(const PromptSizes& sizes) {
  return sizes.reviewed > 0 ? std::min(sizes.reviewed, source) : source;
}

void append(std::vector<PlannedQuestions>& planned, const std::vector<PlannedQuestions>& more) {
  planned.insert(planned.end(), more.begin(), more.end());
}

// All prompts but those for proposals have less beside the fences than the first one.
Lengths lengths_of(const EvolutionSettings& settings, const PromptSizes& sizes) {
  const std::int64_t base = sizes.first + members;
  const std::int64_t kernels = settings.context_size * (source + strategy_line + frame);
  const std::int64_t repair = source + message + 2 * frame;
  std::int64_t told = kernels + sizes.configs * config_line + message + list + 3 * frame;
  for (const std::int64_t header : sizes.headers) told += std::min(header, source) + frame;
  return {.propose = base + std::max(told, repair),
          .translate = base + source + message + list + 3 * frame,
          .condense = base + source + answer + 2 * frame,
          .verify = base + reviewed_bytes(sizes) + frame +
                    json_bytes(settings.verifier_instructions.dump()),
          .profile = base + source + answer + message + 3 * frame};
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
  const Lengths lengths = lengths_of(settings, sizes);
  const std::int64_t proposals =
      static_cast<std::int64_t>(planned_generations(settings)) * settings.population;
  std::vector<PlannedQuestions> planned{{.stage = "propose",
                                         .models = settings.models,
                                         .questions = proposals,
                                         .input_bytes = lengths.propose,
                                         .output_tokens = settings.max_output_tokens}};
  // Each proposal may have a parent of its own.
  if (settings.profile && settings.profile_summary == "llm") {
    planned.push_back({.stage = "profile",
                       .models = settings.models,
                       .questions = proposals,
                       .input_bytes = lengths.profile,
                       .output_tokens = profile_summary_tokens});
  }
  if (asks_verifiers(settings)) {
    const auto each = static_cast<std::int64_t>(std::size(verifiers));
    append(planned, planned_reviews(settings, sizes, proposals * each));
  }
  if (translates) append(planned, planned_translation(settings, sizes));
  return planned;
}

std::vector<PlannedQuestions> planned_translation(const EvolutionSettings& settings,
                                                  const PromptSizes& sizes) {
  const Lengths lengths = lengths_of(settings, sizes);
  PlannedQuestions attempts{.stage = "translate",
                            .models = one_or(settings.translate_model, settings.models),
                            .questions = settings.translate_attempts,
                            .input_bytes = lengths.translate,
                            .output_tokens = settings.translate_output_tokens};
  std::vector<PlannedQuestions> planned{attempts};
  if (settings.error_summary && !settings.translate_independent) {
    attempts.questions -= 1;  // the last error is not condensed
    attempts.input_bytes = lengths.condense;
    planned.push_back(attempts);
  }
  return planned;
}

std::vector<PlannedQuestions> planned_reviews(const EvolutionSettings& settings,
                                              const PromptSizes& sizes, std::int64_t reviews) {
  PlannedQuestions looks{.stage = "verify",
                         .models = one_or(settings.verifier_model, settings.models),
                         .questions = reviews,
                         .input_bytes = lengths_of(settings, sizes).verify,
                         .output_tokens = settings.verifier_output_tokens};
  std::vector<PlannedQuestions> planned{looks};
  if (settings.reflections > 0) {
    looks.questions *= settings.reflections;
    looks.input_bytes += answer + frame;
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
  PlannedQuestions written{
      .stage = "tune_verifier",
      .models = settings.models,
      .questions = generations,
      .input_bytes = sizes.first + members + message + frame + tried * (instructions + frame),
      .output_tokens = settings.writer_output_tokens};
  EvolutionSettings longest = settings;
  longest.verifier_instructions = {{"written", std::string(instructions, ' ')}};
  std::vector<PlannedQuestions> planned =
      planned_reviews(longest, sizes, tried * tuning + held_out);
  planned.push_back(written);
  if (settings.writer_summary) {
    written.input_bytes =
        sizes.first + members + tuning * (reviewed_bytes(sizes) + 2 * message + 3 * frame);
    planned.push_back(written);
  }
  return planned;
}

SpendingBound& SpendingBound::operator+=(const SpendingBound& other) {
  questions += other.questions;
  attempts += other.attempts;
  tokens += other.tokens;
  cost = cost && other.cost ? std::optional(*cost + *other.cost) : std::nullopt;
  return *this;
}

SpendingBound bound_of(const std::vector<PlannedQuestions>& planned,
                       const ReservationOf& reservation_of) {
  SpendingBound bound;
  for (const PlannedQuestions& kind : planned) {
    std::int64_t tokens = 0;
    std::optional<MicroDollars> dearest = MicroDollars{};
    for (const std::string& model : kind.models) {
      const Reservation one = reservation_of(model, kind.input_bytes, kind.output_tokens);
      tokens = std::max(tokens, one.tokens());
      dearest = dearest && one.cost ? std::optional(std::max(*dearest, *one.cost)) : std::nullopt;
    }
    const std::int64_t charged = kind.questions * charged_attempts;
    bound +=
        {.questions = kind.questions,
         .attempts = charged + kind.questions * rejected_parameters,
         .tokens = charged * tokens,
         .cost = dearest ? std::optional(MicroDollars{charged * dearest->count}) : std::nullopt};
  }
  return bound;
}

}  // namespace robust_kbench
