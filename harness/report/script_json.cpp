#include "report/script_json.hpp"

#include <array>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

// Only strings of a JSON text have these characters, and there an escape means the same.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> unsafe_characters{{
    {"<", "\\u003c"},
    {">", "\\u003e"},
    {"&", "\\u0026"},
    {"\xe2\x80\xa8", "\\u2028"},
    {"\xe2\x80\xa9", "\\u2029"},
}};

}  // namespace

std::string script_json(const nlohmann::json& value) {
  const std::string json = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string safe;
  safe.reserve(json.size());
  for (std::size_t at = 0; at < json.size();) {
    std::string_view escape;
    std::size_t length = 1;
    for (const auto& [unsafe, escaped] : unsafe_characters) {
      if (json.compare(at, unsafe.size(), unsafe) != 0) continue;
      escape = escaped;
      length = unsafe.size();
    }
    if (escape.empty()) {
      safe += json[at];
    } else {
      safe += escape;
    }
    at += length;
  }
  return safe;
}

}  // namespace robust_kbench
