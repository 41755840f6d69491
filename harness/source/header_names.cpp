#include "source/header_names.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "source/source_error.hpp"
#include "source/tokens.hpp"

namespace robust_kbench {
namespace {

// Words of directives behind which a header's name may stand, `(` between.
constexpr std::array<std::string_view, 8> words_before{
    "include",     "include_next",       "import", "__has_include",
    "__has_embed", "__has_include_next", "embed",  "dependency"};

// Whether the text from the name's `<` or quote on is a plain name.
bool is_plain_name(const Token* at, const Token* end) {
  if (at->kind == TokenKind::string) {
    return without_splices(at->text).find('\\') == std::string::npos;
  }
  if (!at->text.starts_with('<')) return true;  // a macro
  for (; at != end && at->text.find('>') == std::string_view::npos; ++at) {
    if (at->kind != TokenKind::identifier && at->kind != TokenKind::number &&
        at->kind != TokenKind::punctuator) {
      return false;
    }
  }
  return at != end && at->kind == TokenKind::punctuator;
}

bool has_plain_names(std::string_view directive) {
  std::vector<Token> tokens = tokenize(directive.substr(1));
  std::erase_if(tokens, [](const Token& token) { return token.kind == TokenKind::space; });
  const Token* const end = tokens.data() + tokens.size();
  for (const Token* at = tokens.data(); at != end; ++at) {
    const std::string word = without_splices(at->text);
    if (std::find(words_before.begin(), words_before.end(), word) == words_before.end()) continue;
    const Token* name = at + 1;
    while (name != end && (name->text == "(" || name->kind == TokenKind::comment)) ++name;
    if (name != end && !is_plain_name(name, end)) return false;
  }
  return true;
}

}  // namespace

void require_plain_header_names(std::string_view source) {
  for (const Token& token : tokenize(source)) {
    if (token.kind != TokenKind::directive || has_plain_names(token.text)) continue;
    throw SourceError(token.line, std::string(token.text.substr(0, token.text.find('\n'))),
                      "a header's name holds a backslash, a quote or the beginning of a comment",
                      "name the header without them");
  }
}

}  // namespace robust_kbench
