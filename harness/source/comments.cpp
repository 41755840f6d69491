#include "source/comments.hpp"

#include <algorithm>

#include "source/tokens.hpp"

namespace robust_kbench {
namespace {

void remove_spaces_at_end_of_line(std::string& text) {
  while (text.ends_with(' ') || text.ends_with('\t')) text.pop_back();
}

// The ends of the lines that a comment takes, or a space where it takes a part of one. In a
// directive each line needs its continuation.
std::string in_place_of(std::string_view comment, bool in_directive) {
  const auto lines = std::count(comment.begin(), comment.end(), '\n');
  std::string text;
  for (auto i = lines; i > 0; --i) text += in_directive ? " \\\n" : "\n";
  return lines == 0 ? " " : text;
}

std::string stripped(std::string_view source, bool in_directive) {
  std::string text;
  for (const Token& token : tokenize(source)) {
    if (token.kind == TokenKind::comment) {
      // At the end of its line such a backslash would take the next line to this one.
      if (text.ends_with('\\')) text += "/**/";
      text += in_place_of(token.text, in_directive);
    } else if (token.kind == TokenKind::directive) {
      text += token.text.front() + stripped(token.text.substr(1), true);
      remove_spaces_at_end_of_line(text);
    } else {
      const std::size_t end_of_line = token.text.find_first_not_of(" \t\r");
      if (token.kind == TokenKind::space && end_of_line != std::string_view::npos &&
          token.text[end_of_line] == '\n') {
        remove_spaces_at_end_of_line(text);
      }
      text += token.text;
    }
  }
  return text;
}

}  // namespace

std::string without_comments(std::string_view source) {
  std::string text = stripped(source, false);
  remove_spaces_at_end_of_line(text);
  return text;
}

}  // namespace robust_kbench
