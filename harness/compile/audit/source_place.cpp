#include "compile/audit/source_place.hpp"

#include <algorithm>

#include "source/directive.hpp"

namespace robust_kbench {
namespace {

// The name of a header tells nothing of what is used.
bool is_inclusion(const Token& token) {
  const std::vector<std::string> words = directive_words(token);
  return !words.empty() && words.front() == "include";
}

bool mentions(const Token& token, const std::string& word) {
  if (token.kind == TokenKind::string || token.kind == TokenKind::directive) {
    return token.text.find(word) != std::string_view::npos &&
           (token.kind == TokenKind::string || !is_inclusion(token));
  }
  return token.kind == TokenKind::identifier && without_splices(token.text) == word;
}

}  // namespace

SourcePlace place_of(const std::vector<std::string>& words, const OwnSources& sources) {
  for (const std::string& word : words) {
    for (const SourceText& file : sources.files()) {
      if (file.text().find(word) == std::string::npos) continue;
      const auto token = std::ranges::find_if(
          file.tokens(), [&](const Token& candidate) { return mentions(candidate, word); });
      if (token != file.tokens().end()) return {file.path().filename(), token->line};
    }
  }
  return {};
}

std::vector<std::string> words_of_symbol(std::string_view plain_name) {
  std::vector<std::string> words;
  while (!plain_name.empty()) {
    const std::size_t colons = plain_name.rfind("::");
    const std::size_t begin = colons == std::string_view::npos ? 0 : colons + 2;
    std::string word(plain_name.substr(begin));
    plain_name = plain_name.substr(0, colons == std::string_view::npos ? 0 : colons);
    if (word.starts_with('~')) word.erase(0, 1);
    if (word.empty() || word == "std") continue;
    words.push_back(word);
    constexpr std::string_view basic = "basic_";
    if (word.starts_with(basic)) words.push_back(word.substr(basic.size()));
  }
  return words;
}

std::vector<std::string> words_of_instruction(std::string_view mnemonic) {
  const std::string word(mnemonic);
  return {"__" + word, "_" + word, "__builtin_ia32_" + word, word};
}

}  // namespace robust_kbench
