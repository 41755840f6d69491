#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace robust_kbench {

enum class TokenKind {
  identifier,  // keywords, too
  number,
  string,  // with its prefix; raw ones, too
  character,
  punctuator,
  comment,    // without the end of its line
  directive,  // a whole preprocessor line with its continuations, without the end of its last line
  space
};

struct Token {
  TokenKind kind;
  std::string_view text;  // a part of the source, which has to outlive the token
  std::size_t offset;     // in bytes
  int line;               // on which it begins, from 1
};

// The lexical elements of a C++ or CUDA source. Each byte is in exactly one token. A text that no
// compiler would accept has tokens, too. An unterminated string ends with its line, an unterminated
// comment or raw string with the source.
//
// Lines that a backslash continues are one line, also within a comment's sign or a name. As for GCC
// and clang, spaces may come between the backslash and the line's end.
std::vector<Token> tokenize(std::string_view source);

// The text of a token other than a raw string as the compiler reads it, with its lines joined.
std::string without_splices(std::string_view text);

// Whether a token's text is one of these.
bool is_one_of(std::string_view text, std::initializer_list<std::string_view> list);

}  // namespace robust_kbench
