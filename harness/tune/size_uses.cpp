#include "tune/size_uses.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>

namespace robust_kbench {
namespace {

class SizeUses {
 public:
  explicit SizeUses(const std::vector<Token>& tokens) {
    for (const Token& token : tokens) {
      if (token.kind == TokenKind::directive) {
        directive(token);
      } else if (token.kind != TokenKind::space && token.kind != TokenKind::comment) {
        m_code.push_back(token);
      }
    }
  }

  std::set<std::string> find() {
    for (std::size_t i = 0; i < m_code.size(); ++i) {
      if (spells(i, "<<<")) launch(i);
      if (text(i) == "__launch_bounds__" && text(i + 1) == "(") add(i + 1, closing(i + 1));
      if (text(i) == "array" && text(i + 1) == "<") add(i + 1, closing(i + 1));
      if (text(i) == "[" && sizes_an_array(i)) add(i, closing(i));
      if (text(i) == "for" && text(i + 1) == "(") stride(i + 1);
    }
    // The list grows while it is walked, until it holds what its names are initialised from.
    for (std::size_t i = 0; i < m_found.size(); ++i) add_initialiser_of(std::string(m_found[i]));
    return {m_found.begin(), m_found.end()};
  }

 private:
  std::string_view text(std::size_t i) const {
    return i < m_code.size() ? m_code[i].text : std::string_view();
  }

  bool is_name(std::size_t i) const {
    return i < m_code.size() && m_code[i].kind == TokenKind::identifier;
  }

  // Whether the tokens from `i` on spell the sign without a space, however they are cut.
  bool spells(std::size_t i, std::string_view sign) const {
    const std::size_t begin = i < m_code.size() ? m_code[i].offset : 0;
    std::string spelled;
    while (i < m_code.size() && m_code[i].offset == begin + spelled.size() &&
           spelled.size() < sign.size()) {
      spelled += m_code[i++].text;
    }
    return spelled == sign;
  }

  // The bracket that closes the one at `open`, or the end of its statement.
  std::size_t closing(std::size_t open) const {
    const std::string_view opens = text(open);
    const std::string_view closes = opens == "(" ? ")" : opens == "[" ? "]" : ">";
    int depth = 0;
    for (std::size_t i = open; i < m_code.size(); ++i) {
      if (text(i) == opens) ++depth;
      if (text(i) == closes && --depth == 0) return i;
      if (closes == ">" && text(i) == ">>" && (depth -= 2) <= 0) return i;
      if (text(i) == "{" || (text(i) == ";" && opens != "(")) return i;
    }
    return m_code.size();
  }

  void add(const std::string& name) {
    if (m_known.insert(name).second) m_found.push_back(name);
  }

  void add(std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      if (is_name(i)) add(std::string(text(i)));
    }
  }

  void directive(const Token& token) {
    const std::vector<Token> words = tokenize(token.text.substr(1));
    std::vector<std::string> names;
    for (const Token& word : words) {
      if (word.kind == TokenKind::identifier) names.emplace_back(word.text);
    }
    const auto unroll = std::find(names.begin(), names.end(), "unroll");
    if (names.size() > 1 && names[0] == "define") {
      m_macros[names[1]].assign(names.begin() + 2, names.end());
    } else if (unroll != names.end()) {
      for (auto name = unroll + 1; name != names.end(); ++name) add(*name);
    }
  }

  void launch(std::size_t open) {
    std::size_t end = open;
    while (end < m_code.size() && text(end) != ";" && !spells(end, ">>>")) ++end;
    add(open, end);
    if (open == 0 || text(open - 1) != ">") return;
    std::size_t begin = open - 1;
    while (begin > 0 && text(begin) != "<" && text(begin) != ";") --begin;
    add(begin, open);
  }

  // `type name[`, `new type[` or a further extent, not an element of an array.
  bool sizes_an_array(std::size_t open) const {
    while (open > 0 && text(open - 1) == "]") {
      --open;
      while (open > 0 && text(open) != "[") --open;
    }
    if (open < 2 || !is_name(open - 1)) return false;
    const std::string_view before = text(open - 2);
    return before == ">" || (is_name(open - 2) && before != "return" && before != "case");
  }

  void stride(std::size_t open) {
    const std::size_t close = closing(open);
    std::size_t step = close;
    while (step > open && text(step) != ";") --step;
    while (step < close && text(step) != "+=" && text(step) != "-=") ++step;
    add(step, close);
  }

  void add_initialiser_of(const std::string& name) {
    for (const std::string& used : m_macros[name]) add(used);
    for (std::size_t i = 1; i + 1 < m_code.size(); ++i) {
      if (text(i) != name) continue;
      const std::string_view next = text(i + 1);
      const std::string_view before = text(i - 1);
      if (next != "=" && next != "(" && next != "{") continue;
      if (!is_name(i - 1) && before != ">" && before != "&" && before != "*" && before != ",") {
        continue;
      }
      std::size_t end = i + 1;
      while (end < m_code.size() && text(end) != ";") ++end;
      add(i + 2, end);
    }
  }

  std::vector<Token> m_code;
  std::map<std::string, std::vector<std::string>> m_macros;  // the names in each one's text
  std::set<std::string> m_known;
  std::vector<std::string> m_found;
};

}  // namespace

std::set<std::string> names_used_as_sizes(const std::vector<Token>& tokens) {
  return SizeUses(tokens).find();
}

}  // namespace robust_kbench
