#include "source/tokens.hpp"

#include <algorithm>
#include <array>

namespace robust_kbench {
namespace {

// Longer punctuators come first, so that the first match is the longest.
constexpr std::array<std::string_view, 32> long_punctuators{
    "%:%:", "<<=", ">>=", "...", "<=>", "->*", "<<", ">>", "<=", ">=", "==",
    "!=",   "&&",  "||",  "++",  "--",  "+=",  "-=", "*=", "/=", "%=", "&=",
    "|=",   "^=",  "->",  "::",  ".*",  "<%",  "%>", "<:", ":>", "%:"};

constexpr std::size_t longest_raw_delimiter = 16;  // of the C++ standard

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Bytes outside of ASCII are parts of letters in UTF-8.
bool begins_identifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool continues_identifier(char c) {
  return begins_identifier(c) || is_digit(c);
}

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

bool is_encoding_prefix(std::string_view text) {
  return text.empty() || text == "u8" || text == "u" || text == "U" || text == "L";
}

// Whether GCC allows the character between a backslash and the end of the line.
bool is_space_in_line(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\0';
}

// The length of a splice, or 0 where none begins. It is a backslash and the end of the line that it
// continues, with what may stand between them.
std::size_t splice_length(std::string_view source, std::size_t at) {
  if (at >= source.size() || source[at] != '\\') return 0;
  std::size_t end = at + 1;
  while (end < source.size() && is_space_in_line(source[end])) ++end;
  if (source.substr(end).starts_with("\r\n")) return end + 2 - at;
  return source.substr(end).starts_with("\n") ? end + 1 - at : 0;
}

// Reads characters as the compiler does, once all splices are taken out. A splice within a token is
// a part of it, and one before a token is space.
class Lexer {
 public:
  explicit Lexer(std::string_view source) : m_source(source) {}

  std::vector<Token> run() {
    while (!at_end()) {
      const TokenKind kind = advance();
      const std::string_view text = m_source.substr(m_begin, m_end - m_begin);
      m_tokens.push_back({kind, text, m_begin, m_line});
      for (const char c : text) m_line += c == '\n' ? 1 : 0;
      if (kind == TokenKind::space) {
        m_line_is_empty = m_line_is_empty || ends_a_line(text);
      } else if (kind != TokenKind::comment) {
        m_line_is_empty = false;
      }
      m_begin = m_end;
    }
    return std::move(m_tokens);
  }

 private:
  // The first place from `at` on where no splice begins.
  [[nodiscard]] std::size_t behind_splices(std::size_t at) const {
    for (std::size_t length = 0; (length = splice_length(m_source, at)) > 0;) at += length;
    return at;
  }

  // The character at a distance from the end of the token, or 0 after the source.
  [[nodiscard]] char at(std::size_t distance = 0) const {
    std::size_t place = behind_splices(m_end);
    for (; distance > 0 && place < m_source.size(); --distance) place = behind_splices(place + 1);
    return place < m_source.size() ? m_source[place] : '\0';
  }

  [[nodiscard]] bool at_end() const { return m_end >= m_source.size(); }

  // Whether the line ends here. A carriage return is left to the end of its line.
  [[nodiscard]] bool at_end_of_line() const {
    return at_end() || at() == '\n' || (at() == '\r' && at(1) == '\n');
  }

  [[nodiscard]] bool at_comment() const { return at() == '/' && (at(1) == '/' || at(1) == '*'); }

  // Whether `<::name>` begins here, which the standard keeps from beginning with the sign for [.
  [[nodiscard]] bool at_scope_of_argument() const {
    return at(2) == ':' && at(3) != ':' && at(3) != '>';
  }

  [[nodiscard]] bool at_number() const {
    return is_digit(at()) || (at() == '.' && is_digit(at(1)));
  }

  [[nodiscard]] bool at_text(std::string_view text) const {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (at(i) != text[i]) return false;
    }
    return true;
  }

  // Adds characters to the token.
  void take(std::size_t count = 1) {
    for (; count > 0; --count) m_end = std::min(behind_splices(m_end) + 1, m_source.size());
  }

  static bool ends_a_line(std::string_view space) {
    std::size_t i = 0;
    while (i < space.size() && space[i] != '\n') {
      i += std::max<std::size_t>(splice_length(space, i), 1);
    }
    return i < space.size();
  }

  TokenKind advance() {
    if (is_space(m_source[m_end]) || splice_length(m_source, m_end) > 0) return space();
    if (at_comment()) return comment();
    if (m_line_is_empty && (at() == '#' || at_text("%:"))) return directive();
    if (at_number()) return number();
    if (begins_identifier(at())) return identifier_or_literal();
    if (at() == '"' || at() == '\'') return literal();
    for (const std::string_view punctuator : long_punctuators) {
      if (at_text(punctuator) && !(punctuator == "<:" && at_scope_of_argument())) {
        take(punctuator.size());
        return TokenKind::punctuator;
      }
    }
    take();
    return TokenKind::punctuator;
  }

  TokenKind space() {
    while (!at_end()) {
      if (const std::size_t length = splice_length(m_source, m_end); length > 0) {
        m_end += length;
      } else if (is_space(m_source[m_end])) {
        ++m_end;
      } else {
        break;
      }
    }
    return TokenKind::space;
  }

  TokenKind comment() {
    if (at(1) == '*') {
      take(2);
      while (!at_end() && !at_text("*/")) take();
      take(2);
    } else {
      while (!at_end_of_line()) take();
      m_end = behind_splices(m_end);
    }
    return TokenKind::comment;
  }

  TokenKind directive() {
    while (!at_end_of_line()) {
      if (at_comment()) {
        comment();
      } else if (at_number()) {
        number();
      } else if (begins_identifier(at())) {
        identifier_or_literal();
      } else if (at() == '"' || at() == '\'') {
        literal();
      } else {
        take();
      }
    }
    m_end = behind_splices(m_end);
    return TokenKind::directive;
  }

  TokenKind number() {
    while (!at_end()) {
      const char c = at();
      const bool exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
      const bool has_sign = exponent && (at(1) == '+' || at(1) == '-');
      if (has_sign || (c == '\'' && continues_identifier(at(1)))) {
        take(2);
      } else if (continues_identifier(c) || c == '.') {
        take();
      } else {
        break;
      }
    }
    return TokenKind::number;
  }

  TokenKind identifier_or_literal() {
    std::string text;
    for (; !at_end() && continues_identifier(at()); take()) text += at();
    const std::string_view prefix = std::string_view(text).substr(0, text.size() - 1);
    if (at() == '"' && text.ends_with('R') && is_encoding_prefix(prefix) && raw_string()) {
      return TokenKind::string;
    }
    if ((at() == '"' || at() == '\'') && is_encoding_prefix(text)) return literal();
    return TokenKind::identifier;
  }

  // Whether a raw string begins here, and then takes it whole. A backslash at the end of a line in
  // it is no splice.
  bool raw_string() {
    const std::size_t quote = behind_splices(m_end);
    const std::size_t open = m_source.find('(', quote);
    if (open == std::string_view::npos) return false;
    const std::string_view delimiter = m_source.substr(quote + 1, open - quote - 1);
    if (delimiter.size() > longest_raw_delimiter) return false;
    if (delimiter.find_first_of(" )\\\t\v\f\n\"") != std::string_view::npos) return false;
    const std::string closing = ")" + std::string(delimiter) + "\"";
    const std::size_t close = m_source.find(closing, open + 1);
    m_end = close == std::string_view::npos ? m_source.size() : close + closing.size();
    return true;
  }

  TokenKind literal() {
    const char quote = at();
    take();
    while (!at_end() && at() != quote && at() != '\n') {
      take(at() == '\\' && at(1) != '\n' ? 2 : 1);
    }
    if (at() == quote) take();
    return quote == '"' ? TokenKind::string : TokenKind::character;
  }

  std::string_view m_source;
  std::vector<Token> m_tokens;
  std::size_t m_begin = 0;
  std::size_t m_end = 0;
  int m_line = 1;
  bool m_line_is_empty = true;  // so far, so that a '#' begins a directive
};

}  // namespace

std::vector<Token> tokenize(std::string_view source) {
  return Lexer(source).run();
}

std::string without_splices(std::string_view text) {
  std::string joined;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = splice_length(text, i);
    if (length == 0) joined += text[i];
    i += std::max<std::size_t>(length, 1);
  }
  return joined;
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

}  // namespace robust_kbench
