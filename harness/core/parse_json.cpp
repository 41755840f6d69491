#include "core/parse_json.hpp"

#include <string>

#include <nlohmann/json.hpp>

namespace robust_kbench {

using nlohmann::json;

json parse_json(std::string_view text, int deepest) {
  const auto limit_depth = [deepest](int depth, json::parse_event_t event, json&) {
    // The parser reports an opening bracket before it counts the new level.
    const bool opens =
        event == json::parse_event_t::object_start || event == json::parse_event_t::array_start;
    if (depth + (opens ? 1 : 0) <= deepest) return true;
    const std::string limit = std::to_string(deepest);
    throw json::parse_error::create(101, std::size_t{0},
                                    "it has more than " + limit + " levels of arrays and objects",
                                    nullptr);
  };
  try {
    return json::parse(text, limit_depth);
  } catch (const json::out_of_range& error) {  // a number beyond float64, such as 1e999
    throw json::parse_error::create(101, std::size_t{0}, error.what(), nullptr);
  }
}

json parse_json_if_any(std::string_view text) {
  try {
    return parse_json(text);
  } catch (const json::parse_error&) {
    return json::value_t::discarded;
  }
}

}  // namespace robust_kbench
