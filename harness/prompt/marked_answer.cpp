#include "prompt/marked_answer.hpp"

#include <algorithm>

#include "core/parse_json.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

// The most braces that are tried as the object's first. Those within its texts are tried before its
// own, and a review may quote a source. Each fails at once.
constexpr int most_braces = 2000;

}  // namespace

std::string without_fences(std::string_view answer, std::string_view mark) {
  const std::string begin = "[" + std::string(mark) + " begin:";
  const std::string end = "[" + std::string(mark) + " end:";
  std::string text;
  bool fenced = false;
  while (!answer.empty()) {
    const std::string_view line = answer.substr(0, answer.find('\n'));
    if (line.find(begin) != std::string_view::npos) fenced = true;
    if (!fenced) text += std::string(line) + '\n';
    if (line.find(end) != std::string_view::npos) fenced = false;
    answer.remove_prefix(std::min(line.size() + 1, answer.size()));
  }
  return text;
}

nlohmann::json object_at_end(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n`");
  if (last == std::string_view::npos || text[last] != '}') return {};
  text = text.substr(0, last + 1);
  std::size_t begin = text.rfind('{');
  for (int i = 0; i < most_braces && begin != std::string_view::npos; ++i) {
    nlohmann::json object = parse_json_if_any(text.substr(begin));
    if (!object.is_discarded()) return object;
    if (begin == 0) break;
    begin = text.rfind('{', begin - 1);
  }
  return {};
}

}  // namespace robust_kbench
