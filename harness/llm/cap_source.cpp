#include "llm/cap_source.hpp"

namespace robust_kbench {
namespace {

const CapTexts variable_names{
    .max_usd = "RKB_MAX_USD", .max_tokens = "RKB_MAX_TOKENS", .max_calls = "RKB_MAX_CALLS"};

CapTexts variables_of(const Surroundings& surroundings) {
  return {.max_usd = surroundings.variable(variable_names.max_usd),
          .max_tokens = surroundings.variable(variable_names.max_tokens),
          .max_calls = surroundings.variable(variable_names.max_calls)};
}

// Sets the limits that are not set yet.
void add(CapSource& source, const SpendingCap& cap, const CapTexts& places) {
  const auto take = [](auto& limit, const auto& other, std::string& place,
                       const std::string& named) {
    if (limit || !other) return;
    limit = other;
    place = named;
  };
  take(source.cap.micro_usd, cap.micro_usd, source.places.max_usd, places.max_usd);
  take(source.cap.tokens, cap.tokens, source.places.max_tokens, places.max_tokens);
  take(source.cap.calls, cap.calls, source.places.max_calls, places.max_calls);
}

std::string in_configuration(const Surroundings& surroundings) {
  return "put a line such as \"max_usd\": 5 into " + surroundings.configuration.string();
}

}  // namespace

CapSource cap_source(const CapTexts& options, const Surroundings& surroundings,
                     const PersonConfig& config) {
  CapSource source;
  add(source, parse_cap(options, cap_options), cap_options);
  add(source, parse_cap(variables_of(surroundings), variable_names), variable_names);
  const std::string& tool = surroundings.build_tool;
  const bool is_given = source.cap.is_set();
  if (!tool.empty()) source = {};
  const std::string of_file = " of " + surroundings.configuration.string();
  add(source, config.cap,
      {.max_usd = "max_usd" + of_file,
       .max_tokens = "max_tokens" + of_file,
       .max_calls = "max_calls" + of_file});
  if (!tool.empty() && is_given) {
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
