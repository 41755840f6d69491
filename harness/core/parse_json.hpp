#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

// The one place where JSON is parsed that others wrote: clients, workers, models, and files that
// anybody may have edited.
namespace robust_kbench {

// Levels of arrays and objects. Ours have less than ten. Whoever prints, compares or copies a value
// calls itself once a level, so a value of 200,000 would overflow the stack.
inline constexpr int deepest_json = 64;

// Throws nlohmann::json::parse_error for a text that is no JSON, or has more than `deepest` levels.
nlohmann::json parse_json(std::string_view text, int deepest = deepest_json);

// The same, but such a text gives a value that is_discarded().
nlohmann::json parse_json_if_any(std::string_view text);

}  // namespace robust_kbench
