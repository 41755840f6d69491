#include "source/frozen_regions.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "source/directive.hpp"
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

// #define or #undef
struct MacroDirective {
  std::size_t offset;
  std::vector<std::string> conditions;
  std::vector<std::string> words;  // the macro's name is the second one
};

// Collects the conditions, brackets and macros around a place of a source.
class Surroundings {
 public:
  void pass(const Token& token) {
    if (token.kind == TokenKind::directive) {
      pass_directive(token.offset, directive_words(token));
    } else if (token.kind == TokenKind::punctuator) {
      const std::string sign = without_splices(token.text);
      if (is_one_of(sign, {"(", "[", "{", "<:", "<%"})) ++m_brackets;
      if (is_one_of(sign, {")", "]", "}", ":>", "%>"})) --m_brackets;
    }
  }

  [[nodiscard]] FrozenRegion region_without_text() const {
    return {.text = {}, .conditions = m_conditions.list(), .open_brackets = m_brackets};
  }
  [[nodiscard]] const std::vector<MacroDirective>& macros() const { return m_macros; }

 private:
  void pass_directive(std::size_t offset, const std::vector<std::string>& words) {
    m_conditions.pass(words);
    if (words.size() < 2 || (words[0] != "define" && words[0] != "undef")) return;
    m_macros.push_back({offset, m_conditions.list(), words});
  }

  OpenConditions m_conditions;
  std::vector<MacroDirective> m_macros;
  int m_brackets = 0;
};

std::set<std::string> identifiers_of(std::string_view text) {
  std::set<std::string> words;
  for (const Token& token : tokenize(text)) {
    if (token.kind == TokenKind::identifier) words.insert(without_splices(token.text));
    if (token.kind != TokenKind::directive) continue;
    for (const std::string& word : directive_words(token)) words.insert(word);
  }
  return words;
}

// The macros that may change what a region means. A macro's text may name further ones.
std::vector<std::string> macros_for(std::string_view region, std::size_t offset,
                                    const std::vector<MacroDirective>& macros) {
  std::set<std::string> words = identifiers_of(region);
  for (std::size_t before = 0; before < words.size();) {
    before = words.size();
    for (const MacroDirective& macro : macros) {
      if (words.contains(macro.words[1])) words.insert(macro.words.begin(), macro.words.end());
    }
  }
  std::vector<std::string> result;
  for (const MacroDirective& macro : macros) {
    if (!words.contains(macro.words[1])) continue;
    std::string text = macro.offset < offset ? "before: " : "after: ";
    for (const std::string& condition : macro.conditions) text += condition;
    for (const std::string& word : macro.words) text += word + " ";
    result.push_back(std::move(text));
  }
  return result;
}

}  // namespace

std::vector<FrozenRegion> frozen_regions(std::string_view source) {
  std::vector<FrozenRegion> regions;
  Surroundings surroundings;
  std::optional<std::size_t> begin;  // of the region that is open
  std::vector<std::size_t> begins;
  const auto close = [&](std::size_t end) {
    regions.back().text = source.substr(*begin, end - *begin);
    begins.push_back(*begin);
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
  for (std::size_t i = 0; i < regions.size(); ++i) {
    regions[i].macros = macros_for(regions[i].text, begins[i], surroundings.macros());
  }
  return regions;
}

}  // namespace robust_kbench
