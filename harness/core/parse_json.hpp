#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

// The only parser of JSON from outside: from clients, workers, models, and files that anybody may
// have edited.
namespace robust_kbench {

// The greatest depth of arrays and objects; ours have fewer than ten levels. Printing, comparing
// and copying recurse once for each level, so 200,000 levels would overflow the stack.
inline constexpr int deepest_json = 64;

// Throws nlohmann::json::parse_error for a text that is not JSON, or has more than `deepest`
// levels.
nlohmann::json parse_json(std::string_view text, int deepest = deepest_json);

// Like parse_json(), but gives a value that is_discarded() in place of throwing.
nlohmann::json parse_json_if_any(std::string_view text);

}  // namespace robust_kbench
