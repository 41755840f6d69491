#include "llm/json_lines.hpp"

#include "core/error.hpp"
#include "core/parse_json.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

constexpr std::size_t shown_bytes = 80;  // of a line in a message

}  // namespace

void JsonLines::append(std::string_view bytes) {
  m_bytes += bytes;
  if (m_bytes.find('\n', m_looked_at) != std::string::npos) return;
  m_looked_at = m_bytes.size();
  if (m_bytes.size() <= longest_line) return;
  throw HarnessError("it has written a line of more than " + std::to_string(longest_line) +
                     " bytes");
}

std::optional<nlohmann::json> JsonLines::next() {
  const std::size_t end = m_bytes.find('\n', m_looked_at);
  if (end == std::string::npos) return std::nullopt;
  const std::string line = m_bytes.substr(0, end);
  m_bytes.erase(0, end + 1);
  m_looked_at = 0;
  nlohmann::json object = parse_json_if_any(line);
  if (object.is_object()) return object;
  // What a program has written may be anything, and the quotes keep it on one line.
  const nlohmann::json shown = line.substr(0, shown_bytes);
  throw HarnessError("it has written no JSON object: " +
                     shown.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
}

}  // namespace robust_kbench
