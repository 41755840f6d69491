#include "source/tokens.hpp"

#include <array>
#include <cstdint>

namespace robust_kbench {
namespace {

// Longer ones first, so that the first match is the longest.
constexpr std::array<std::string_view, 26> long_punctuators{
    "<<=", ">>=", "...", "<=>", "->*", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
    "++",  "--",  "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", "->", "::", ".*"};

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

class Lexer {
 public:
  explicit Lexer(std::string_view source) : m_source(source) {}

  std::vector<Token> run() {
    while (m_end < m_source.size()) {
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
  // The byte at a distance from the end of the token, or 0 after the source.
  [[nodiscard]] char at(std::size_t distance = 0) const {
    return m_end + distance < m_source.size() ? m_source[m_end + distance] : '\0';
  }

  [[nodiscard]] bool at_end() const { return m_end >= m_source.size(); }

  // The length of a backslash with the end of the line that it continues, or 0.
  [[nodiscard]] std::size_t continuation() const {
    if (at() != '\\') return 0;
    if (at(1) == '\n') return 2;
    return at(1) == '\r' && at(2) == '\n' ? 3 : 0;
  }

  static bool ends_a_line(std::string_view space) {
    for (std::size_t i = 0; i < space.size(); ++i) {
      const std::size_t before = i > 0 && space[i - 1] == '\r' ? i - 1 : i;
      const bool continued = before > 0 && space[before - 1] == '\\';
      if (space[i] == '\n' && !continued) return true;
    }
    return false;
  }

  TokenKind advance() {
    if (is_space(at()) || continuation() > 0) return space();
    if (at() == '/' && (at(1) == '/' || at(1) == '*')) return comment();
    if (at() == '#' && m_line_is_empty) return directive();
    if (is_digit(at()) || (at() == '.' && is_digit(at(1)))) return number();
    if (begins_identifier(at())) return identifier_or_literal();
    if (at() == '"' || at() == '\'') return literal();
    for (const std::string_view punctuator : long_punctuators) {
      if (m_source.substr(m_end).starts_with(punctuator)) {
        m_end += punctuator.size();
        return TokenKind::punctuator;
      }
    }
    ++m_end;
    return TokenKind::punctuator;
  }

  TokenKind space() {
    while (!at_end()) {
      if (const std::size_t length = continuation(); length > 0) {
        m_end += length;
      } else if (is_space(at())) {
        ++m_end;
      } else {
        break;
      }
    }
    return TokenKind::space;
  }

  TokenKind comment() {
    if (at(1) == '*') {
      const std::size_t close = m_source.find("*/", m_end + 2);
      m_end = close == std::string_view::npos ? m_source.size() : close + 2;
    } else {
      to_end_of_line();
    }
    return TokenKind::comment;
  }

  // Leaves a carriage return to the end of the line.
  void to_end_of_line() {
    while (!at_end() && at() != '\n' && !(at() == '\r' && at(1) == '\n')) {
      m_end += continuation() > 0 ? continuation() : 1;
    }
  }

  TokenKind directive() {
    while (!at_end() && at() != '\n' && !(at() == '\r' && at(1) == '\n')) {
      if (at() == '/' && (at(1) == '/' || at(1) == '*')) {
        comment();
      } else if (at() == '"' || at() == '\'') {
        literal();
      } else {
        m_end += continuation() > 0 ? continuation() : 1;
      }
    }
    return TokenKind::directive;
  }

  TokenKind number() {
    while (!at_end()) {
      const char c = at();
      const bool exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
      const bool has_sign = exponent && (at(1) == '+' || at(1) == '-');
      if (has_sign || (c == '\'' && continues_identifier(at(1)))) {
        m_end += 2;
      } else if (continues_identifier(c) || c == '.') {
        ++m_end;
      } else {
        break;
      }
    }
    return TokenKind::number;
  }

  TokenKind identifier_or_literal() {
    while (!at_end() && continues_identifier(at())) ++m_end;
    std::string_view text = m_source.substr(m_begin, m_end - m_begin);
    if (at() == '"' && text.ends_with('R') && is_encoding_prefix(text.substr(0, text.size() - 1)) &&
        raw_string()) {
      return TokenKind::string;
    }
    if ((at() == '"' || at() == '\'') && is_encoding_prefix(text)) return literal();
    return TokenKind::identifier;
  }

  // Whether a raw string begins here. Then the token ends where it ends.
  bool raw_string() {
    const std::size_t open = m_source.find('(', m_end);
    if (open == std::string_view::npos) return false;
    const std::string_view delimiter = m_source.substr(m_end + 1, open - m_end - 1);
    if (delimiter.size() > longest_raw_delimiter) return false;
    if (delimiter.find_first_of(" )\\\t\v\f\n\"") != std::string_view::npos) return false;
    const std::string closing = ")" + std::string(delimiter) + "\"";
    const std::size_t close = m_source.find(closing, open + 1);
    m_end = close == std::string_view::npos ? m_source.size() : close + closing.size();
    return true;
  }

  TokenKind literal() {
    const char quote = at();
    ++m_end;
    while (!at_end() && at() != quote && at() != '\n') {
      if (continuation() > 0) {
        m_end += continuation();
      } else if (at() == '\\' && m_end + 1 < m_source.size() && at(1) != '\n') {
        m_end += 2;
      } else {
        ++m_end;
      }
    }
    if (at() == quote) ++m_end;
    return quote == '"' ? TokenKind::string : TokenKind::character;
  }

  std::string_view m_source;
  std::vector<Token> m_tokens;
  std::size_t m_begin = 0;
  std::size_t m_end = 0;
  int m_line = 1;
  bool m_line_is_empty = true;  // so far, so that a '#' begins a directive
};

// FNV-1a with 128 bits: two sources of a run that differ practically never share a digest.
class Digest {
 public:
  void add(std::string_view text) {
    for (const char c : text) add(c);
    add('\0');  // so that the ends of the texts count
  }

  [[nodiscard]] std::string hex() const {
    std::string result;
    for (int shift = 124; shift >= 0; shift -= 4) {
      result += "0123456789abcdef"[static_cast<unsigned>(m_value >> shift) & 15U];
    }
    return result;
  }

 private:
  __extension__ using Wide = unsigned __int128;

  void add(char c) {
    constexpr Wide prime = (Wide{1} << 88U) + 0x13bU;
    m_value = (m_value ^ static_cast<unsigned char>(c)) * prime;
  }

  Wide m_value = (Wide{0x6c62272e07bb0142U} << 64U) + 0x62b821756295c58dU;  // the offset basis
};

bool chooses_options(std::string_view comment) {
  const std::size_t begin = comment.find_first_not_of("/ \t");
  return begin != std::string_view::npos && comment.substr(begin).starts_with("options:");
}

void add_tokens(Digest& digest, std::string_view source) {
  for (const Token& token : tokenize(source)) {
    if (token.kind == TokenKind::space) continue;
    if (token.kind == TokenKind::comment && !chooses_options(token.text)) continue;
    if (token.kind == TokenKind::directive) {
      digest.add("#");
      add_tokens(digest, token.text.substr(1));
      digest.add("\n");
    } else {
      digest.add(token.text);
    }
  }
}

}  // namespace

std::vector<Token> tokenize(std::string_view source) {
  return Lexer(source).run();
}

std::string fingerprint(std::string_view source) {
  Digest digest;
  add_tokens(digest, source);
  return digest.hex();
}

}  // namespace robust_kbench
