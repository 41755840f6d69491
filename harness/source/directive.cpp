#include "source/directive.hpp"

namespace robust_kbench {

std::vector<std::string> directive_words(const Token& directive) {
  const bool digraph = directive.text.starts_with('%');
  std::vector<std::string> words;
  for (const Token& token : tokenize(directive.text.substr(1))) {
    if (token.kind == TokenKind::space || token.kind == TokenKind::comment) continue;
    words.push_back(without_splices(token.text));
  }
  if (digraph && !words.empty()) words.erase(words.begin());  // the colon
  return words;
}

void OpenConditions::pass(const std::vector<std::string>& words) {
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

}  // namespace robust_kbench
