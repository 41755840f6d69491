#include "llm/cap_source.hpp"

namespace robust_kbench {
namespace {

const CapTexts option_names{
    .max_usd = "--max-usd", .max_tokens = "--max-tokens", .max_calls = "--max-calls"};
const CapTexts variable_names{
    .max_usd = "RKB_MAX_USD", .max_tokens = "RKB_MAX_TOKENS", .max_calls = "RKB_MAX_CALLS"};

CapTexts variables_of(const Surroundings& surroundings) {
  return {.max_usd = surroundings.variable(variable_names.max_usd),
          .max_tokens = surroundings.variable(variable_names.max_tokens),
          .max_calls = surroundings.variable(variable_names.max_calls)};
}

// Each limit of `first`, else that of `second`.
SpendingCap either(const SpendingCap& first, const SpendingCap& second) {
  return {.micro_usd = first.micro_usd ? first.micro_usd : second.micro_usd,
          .tokens = first.tokens ? first.tokens : second.tokens,
          .calls = first.calls ? first.calls : second.calls};
}

std::string in_configuration(const Surroundings& surroundings) {
  return "put a line such as \"max_usd\": 5 into " + surroundings.configuration.string();
}

}  // namespace

CapSource cap_source(const CapTexts& options, const Surroundings& surroundings,
                     const PersonConfig& config) {
  const SpendingCap given = either(parse_cap(options, option_names),
                                   parse_cap(variables_of(surroundings), variable_names));
  const std::string& tool = surroundings.build_tool;
  CapSource source;
  source.cap = tool.empty() ? either(given, config.cap) : config.cap;
  if (!tool.empty() && given.is_set()) {
    source.note = "a cap on the command line or in a variable does not count below " + tool +
                  ", whose files may have set it; " + in_configuration(surroundings);
  }
  if (!source.cap.is_set() && source.note.empty()) {
    source.note = "no language model is asked, since nothing may be spent; to turn models on, " +
                  (tool.empty() ? "give --max-usd, set RKB_MAX_USD, or " : std::string()) +
                  in_configuration(surroundings);
  }
  return source;
}

}  // namespace robust_kbench
