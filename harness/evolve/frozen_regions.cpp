#include "evolve/frozen_regions.hpp"

#include <algorithm>
#include <optional>

#include "source/tokens.hpp"

namespace robust_kbench {
namespace {

// The beginning of the line that holds a place.
std::size_t line_of(std::string_view source, std::size_t place) {
  return source.substr(0, place).rfind('\n') + 1;  // 0 where there is none before
}

// Whether the token is this comment, on a line of its own.
bool is_marker(std::string_view source, const Token& token, std::string_view marker) {
  if (token.kind != TokenKind::comment || !token.text.starts_with(marker)) return false;
  const std::size_t line = line_of(source, token.offset);
  const std::string_view before = source.substr(line, token.offset - line);
  const std::string_view after = token.text.substr(marker.size());
  return before.find_first_not_of(" \t") == std::string_view::npos &&
         after.find_first_not_of(" \t\r") == std::string_view::npos;
}

// "if", "0" of `# if 0  // why`
std::vector<std::string> words_of(const Token& directive) {
  std::vector<std::string> words;
  for (const Token& token : tokenize(directive.text.substr(1))) {
    if (token.kind == TokenKind::space || token.kind == TokenKind::comment) continue;
    words.push_back(without_splices(token.text));
  }
  // The rest of a `%:`, which is another spelling of #.
  if (directive.text.starts_with('%') && !words.empty()) words.erase(words.begin());
  return words;
}

// What stands around a place of a source.
class Surroundings {
 public:
  void pass(const Token& token) {
    if (token.kind == TokenKind::directive) {
      pass_directive(words_of(token));
    } else if (token.kind == TokenKind::punctuator) {
      const std::string_view sign = token.text;
      if (sign == "(" || sign == "[" || sign == "{") ++m_brackets;
      if (sign == ")" || sign == "]" || sign == "}") --m_brackets;
    }
  }

  [[nodiscard]] FrozenRegion region_without_text() const {
    return {.text = {}, .conditions = m_conditions, .open_brackets = m_brackets};
  }

 private:
  void pass_directive(const std::vector<std::string>& words) {
    if (words.empty()) return;
    std::string condition;
    for (const std::string& word : words) condition += word + " ";
    if (words[0].starts_with("if")) {
      m_conditions.push_back(condition);
    } else if (words[0].starts_with("el") && !m_conditions.empty()) {
      m_conditions.back() += condition;
    } else if (words[0] == "endif" && !m_conditions.empty()) {
      m_conditions.pop_back();
    }
  }

  std::vector<std::string> m_conditions;
  int m_brackets = 0;
};

}  // namespace

std::vector<FrozenRegion> frozen_regions(std::string_view source) {
  std::vector<FrozenRegion> regions;
  Surroundings surroundings;
  std::optional<std::size_t> begin;  // of the region that is open
  const auto close = [&](std::size_t end) {
    regions.back().text = source.substr(*begin, end - *begin);
    begin.reset();
  };
  for (const Token& token : tokenize(source)) {
    surroundings.pass(token);
    if (begin && is_marker(source, token, "// frozen: end")) {
      close(line_of(source, token.offset));
    } else if (!begin && is_marker(source, token, "// frozen: begin")) {
      const std::size_t end_of_line = source.find('\n', token.offset);
      begin = std::min(end_of_line, source.size() - 1) + 1;
      regions.push_back(surroundings.region_without_text());
    }
  }
  if (begin) close(source.size());
  return regions;
}

}  // namespace robust_kbench
