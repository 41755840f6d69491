#include "tune/constants.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace robust_kbench {
namespace {

bool is_code(const Token& token) {
  return token.kind != TokenKind::space && token.kind != TokenKind::comment;
}

// The text from the first to the last of the tokens, which lie in one string.
std::string_view text_of(const Token& first, const Token& last) {
  const char* begin = first.text.data();
  return {begin, static_cast<std::size_t>(last.text.data() + last.text.size() - begin)};
}

int last_line(const Token& token) {
  return token.line + static_cast<int>(std::count(token.text.begin(), token.text.end(), '\n'));
}

// `#define name value`; a macro with parameters is no constant.
std::optional<Constant> macro(const Token& directive) {
  std::vector<Token> words;
  for (const Token& token : tokenize(directive.text.substr(1))) {
    if (is_code(token)) words.push_back(token);
  }
  if (words.size() < 3 || words[0].text != "define") return {};
  if (words[2].text == "(" && words[2].offset == words[1].offset + words[1].text.size()) return {};
  const std::size_t offset = directive.offset + 1 + words[2].offset;
  return Constant{std::string(words[1].text), std::string(text_of(words[2], words.back())), offset,
                  directive.line + words.back().line - 1};
}

// The brackets that the words leave open.
int open_brackets(const Token* begin, const Token* end) {
  int open = 0;
  for (; begin != end; ++begin) {
    if (begin->text == "(" || begin->text == "[" || begin->text == "<") ++open;
    if (begin->text == ")" || begin->text == "]" || begin->text == ">") --open;
  }
  return open;
}

// One statement without its semicolon: `... const ... name = value`, with one name.
std::optional<Constant> constant_definition(const std::vector<Token>& words) {
  const Token* const begin = words.data();
  const Token* const end = begin + words.size();
  const auto is = [](std::string_view text) {
    return [text](const Token& token) { return token.text == text; };
  };
  const Token* const equals = std::find_if(begin, end, is("="));
  if (end - equals < 2 || equals - begin < 2) return {};
  const Token& name = equals[-1];
  if (name.kind != TokenKind::identifier || open_brackets(begin, equals) != 0) return {};
  const bool constant = std::any_of(begin, equals - 1, [](const Token& token) {
    return token.text == "const" || token.text == "constexpr" || token.text == "using";
  });
  if (!constant) return {};
  for (const Token* word = equals; word != end; ++word) {
    if (word->text == "," && open_brackets(equals, word) == 0) return {};
  }
  return Constant{std::string(name.text), std::string(text_of(equals[1], words.back())),
                  equals[1].offset, last_line(words.back())};
}

}  // namespace

std::vector<Constant> constants_of(const std::vector<Token>& tokens) {
  std::vector<Constant> constants;
  std::vector<Token> statement;
  int depth = 0;  // of parentheses, in which a semicolon ends no statement
  for (const Token& token : tokens) {
    if (!is_code(token)) continue;
    if (token.kind == TokenKind::directive) {
      if (const std::optional<Constant> found = macro(token)) constants.push_back(*found);
      continue;
    }
    depth += token.text == "(" ? 1 : token.text == ")" ? -1 : 0;
    if (token.text == ";" && depth <= 0) {
      if (const std::optional<Constant> found = constant_definition(statement))
        constants.push_back(*found);
    }
    if (token.text == "{" || token.text == "}" || token.text == ";") {
      statement.clear();
      depth = 0;
    } else {
      statement.push_back(token);
    }
  }
  return constants;
}

std::optional<long long> integer_of(const std::string& value) {
  std::string digits = value;
  std::erase(digits, '\'');
  while (!digits.empty() && std::string_view("uUlLzZ").find(digits.back()) != std::string::npos) {
    digits.pop_back();
  }
  if (digits.size() > 1 && digits[0] == '0') return {};  // octal, binary or hexadecimal
  long long number = 0;
  const char* end = digits.data() + digits.size();
  const auto [parsed, error] = std::from_chars(digits.data(), end, number);
  if (error != std::errc() || parsed != end) return {};
  return number;
}

}  // namespace robust_kbench
