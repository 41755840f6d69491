#include "compile/declared_names.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace robust_kbench {
namespace {

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

class DeclarationScan {
 public:
  explicit DeclarationScan(std::string_view text) : m_text(text) {}

  DeclaredNames names() && {
    bool at_line_start = true;
    while (m_at < m_text.size()) {
      const char c = m_text[m_at];
      if (c == '\n') {
        at_line_start = true;
        ++m_at;
      } else if (c == '#' && at_line_start) {
        directive();
      } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
        ++m_at;
      } else {
        at_line_start = false;
        token(c);
      }
    }
    return std::move(m_names);
  }

 private:
  // Scans a number as one word, with the marks between its digits.
  std::string_view word() {
    const std::size_t begin = m_at;
    const bool number = std::isdigit(static_cast<unsigned char>(m_text[m_at])) != 0;
    while (m_at < m_text.size() &&
           (is_word_character(m_text[m_at]) || (number && m_text[m_at] == '\''))) {
      ++m_at;
    }
    return m_text.substr(begin, m_at - begin);
  }

  // Reads a line marker, or a definition of a macro.
  void directive() {
    constexpr std::string_view define = "#define ";
    if (m_text.substr(m_at, define.size()) == define) {
      m_at += define.size();
      m_names.emplace(word());
    }
    m_at = std::min(m_text.find('\n', m_at), m_text.size());
  }

  void token(char c) {
    if (is_word_character(c)) {
      declaration_word(word());
      return;
    }
    if (c == '"' || c == '\'') {
      literal(c);
      return;
    }
    if (c == '(' || c == '[') ++m_parentheses;
    if ((c == ')' || c == ']') && m_parentheses > 0) --m_parentheses;
    if (m_template && m_parentheses == 0 && c == '<') ++m_angles;
    if (m_template && m_parentheses == 0 && c == '>' && --m_angles == 0) m_template = false;
    if (c == '{') open();
    if (c == '}') close();
    if (c == ';' && m_parentheses == 0) end_declaration();
    ++m_at;
  }

  void literal(char quote) {
    if (m_at > 0 && m_text[m_at - 1] == 'R') {  // R"delimiter(...)delimiter"
      const std::size_t open = m_text.find('(', m_at);
      const std::string end = ")" + std::string(m_text.substr(m_at + 1, open - m_at - 1)) + '"';
      m_at = std::min(m_text.find(end, open), m_text.size() - end.size()) + end.size();
      return;
    }
    for (++m_at; m_at < m_text.size() && m_text[m_at] != quote; ++m_at) {
      if (m_text[m_at] == '\\') ++m_at;
    }
    ++m_at;
  }

  void declaration_word(std::string_view word) {
    if (m_skipped > 0 || m_parentheses > 0) return;
    if (word == "template") {
      m_template = true;
      m_angles = 0;
      return;
    }
    if (m_template && m_angles > 0) return;
    if (word == "namespace" || word == "enum" || (word == "extern" && m_first)) {
      m_opens_scope = true;
    } else if (m_first_word == "extern" || word == "class" || word == "struct") {
      m_opens_scope = false;  // extern before one declaration, or an enum class
    }
    if (m_first) m_first_word = word;
    m_first = false;
    m_names.emplace(word);
  }

  void open() {
    if (m_skipped == 0 && m_opens_scope && m_parentheses == 0) {
      end_declaration();
    } else if (++m_skipped == 1) {
      m_outer_parentheses = m_parentheses;
    }
  }

  void close() {
    if (m_skipped > 0 && --m_skipped > 0) return;
    m_parentheses = std::exchange(m_outer_parentheses, 0);
    if (m_parentheses == 0) end_declaration();
  }

  void end_declaration() {
    if (m_skipped > 0) return;
    m_opens_scope = false;
    m_first = true;
    m_first_word = {};
    m_template = false;
    m_parentheses = 0;
  }

  std::string_view m_text;
  std::size_t m_at = 0;
  DeclaredNames m_names;
  int m_parentheses = 0;
  int m_outer_parentheses = 0;  // those around skipped braces
  int m_angles = 0;             // of a template's parameters
  int m_skipped = 0;            // braces of what is no namespace
  bool m_template = false;      // its parameters follow, or have begun
  bool m_opens_scope = false;   // the next brace holds declarations
  bool m_first = true;          // no word of the declaration was seen yet
  std::string_view m_first_word;
};

}  // namespace

DeclaredNames declared_names(std::string_view preprocessed) {
  return DeclarationScan(preprocessed).names();
}

}  // namespace robust_kbench
