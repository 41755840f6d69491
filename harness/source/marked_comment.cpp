#include "source/marked_comment.hpp"

#include <array>

namespace robust_kbench {
namespace {

std::optional<MarkedComment> marked(std::string_view comment, std::size_t offset, int line) {
  if (!comment.starts_with("//")) return {};
  const std::string_view body = without_spaces(comment.substr(2));
  for (const std::string_view mark : {"tune", "restriction", "options"}) {
    if (body.starts_with(mark) && body.substr(mark.size()).starts_with(":")) {
      const std::string_view text = without_spaces(body.substr(mark.size() + 1));
      const auto before = static_cast<std::size_t>(text.data() - comment.data());
      return MarkedComment{std::string(mark), text, offset, offset + before, line};
    }
  }
  return {};
}

}  // namespace

std::vector<MarkedComment> marked_comments(const std::vector<Token>& tokens) {
  std::vector<MarkedComment> result;
  const auto add = [&](const Token& token, std::size_t offset, int line) {
    if (token.kind != TokenKind::comment) return;
    const auto found = marked(token.text, offset, line);
    if (found) result.push_back(*found);
  };
  for (const Token& token : tokens) {
    add(token, token.offset, token.line);
    if (token.kind != TokenKind::directive) continue;
    for (const Token& inner : tokenize(token.text.substr(1))) {
      add(inner, token.offset + 1 + inner.offset, token.line + inner.line - 1);
    }
  }
  return result;
}

std::string_view without_spaces(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return text.substr(text.size());
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

std::vector<std::string> comma_separated(std::string_view text) {
  std::vector<std::string> items;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '(' || c == '<' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == '>' || c == ']' || c == '}') --depth;
    if (c != ',' || (depth > 0 && i < text.size())) continue;
    items.emplace_back(without_spaces(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  return items;
}

}  // namespace robust_kbench
