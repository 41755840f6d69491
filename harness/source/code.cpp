#include "source/code.hpp"

#include <algorithm>

namespace robust_kbench {

Code::Code(std::string_view source) : m_source(source) {
  for (const Token& token : tokenize(source)) {
    if (token.kind == TokenKind::space || token.kind == TokenKind::comment) continue;
    m_tokens.push_back(token);
  }
  m_partners.assign(m_tokens.size(), m_tokens.size());
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < m_tokens.size(); ++i) {
    if (m_tokens[i].kind != TokenKind::punctuator) continue;
    const std::string_view sign = m_tokens[i].text;
    if (sign == "(" || sign == "[" || sign == "{") open.push_back(i);
    const std::string_view opens = sign == ")" ? "(" : sign == "]" ? "[" : sign == "}" ? "{" : "";
    if (opens.empty() || open.empty() || m_tokens[open.back()].text != opens) continue;
    m_partners[i] = open.back();
    m_partners[open.back()] = i;
    open.pop_back();
  }
  find_element_names();
}

// `{ return name[...]; }` or `{ return name(...); }`
bool Code::returns_element(std::size_t brace) const {
  const std::size_t index = brace + 3;
  if (text(brace) != "{" || text(brace + 1) != "return" || !is_name(brace + 2)) return false;
  if (text(index) != "[" && text(index) != "(") return false;
  return m_partners[index] + 1 < size() && text(m_partners[index] + 1) == ";" &&
         m_partners[index] + 2 == m_partners[brace];
}

void Code::find_element_names() {
  std::set<std::string_view> types;
  for (std::size_t i = 0; i + 4 < size(); ++i) {
    if (text(i) == "template" && text(i + 1) == "<") {
      for (std::size_t k = i + 2; k < size() && text(k) != ">"; ++k) {
        if (text(k) == "typename" || text(k) == "class") types.insert(text(k + 1));
      }
    }
    if (!spells(i, {"operator", "(", ")", "("})) continue;
    const std::size_t close = m_partners[i + 3];
    const std::size_t brace = text(close + 1) == "const" ? close + 2 : close + 1;
    if (close >= size() || !returns_element(brace)) return;
    // The operator belongs to the class around it.
    std::size_t open = i;
    while (open > 0 && (text(open) != "{" || m_partners[open] < i)) --open;
    if (open > 1) types.insert(text(open - 1));
  }
  const bool any = std::any_of(m_tokens.begin(), m_tokens.end(),
                               [](const Token& token) { return token.text == "operator"; });
  if (!any) return;
  // `Type name`, `const Type& name` and `Type<...> name` where a parameter ends.
  for (std::size_t i = 2; i + 1 < size(); ++i) {
    if (!is_name(i) || (text(i + 1) != "," && text(i + 1) != ")")) continue;
    std::size_t type = text(i - 1) == "&" ? i - 2 : i - 1;
    if (text(type) == ">") {
      while (type > 0 && text(type) != "<") --type;
      --type;
    }
    if (is_name(type) && types.contains(text(type))) m_element_names.emplace(text(i));
  }
}

bool Code::opens_index(std::size_t i) const {
  if (text(i) == "[") return true;
  return text(i) == "(" && i > 0 && stands_alone(i - 1) && m_element_names.contains(text(i - 1));
}

std::string_view Code::text(std::size_t i) const {
  return i < m_tokens.size() ? m_tokens[i].text : std::string_view();
}

bool Code::is_name(std::size_t i) const {
  return i < m_tokens.size() && m_tokens[i].kind == TokenKind::identifier;
}

bool Code::is_directive(std::size_t i) const {
  return i < m_tokens.size() && m_tokens[i].kind == TokenKind::directive;
}

bool Code::spells(std::size_t i, const std::vector<std::string_view>& texts) const {
  for (std::size_t k = 0; k < texts.size(); ++k) {
    if (text(i + k) != texts[k]) return false;
  }
  return true;
}

std::size_t Code::find(Range range, std::string_view text) const {
  for (std::size_t i = range.begin; i < range.end; ++i) {
    if (m_tokens[i].text == text) return i;
    const std::size_t close = m_partners[i];
    if (close != m_tokens.size() && close > i) i = close;
  }
  return range.end;
}

std::vector<Range> Code::parts(Range range) const {
  std::vector<Range> result;
  while (!range.empty()) {
    const std::size_t comma = find(range, ",");
    result.push_back({range.begin, comma});
    range.begin = comma + 1;
  }
  return result;
}

std::string_view Code::slice(Range range) const {
  if (range.empty()) return {};
  const std::size_t begin = m_tokens[range.begin].offset;
  const Token& last = m_tokens[range.end - 1];
  return m_source.substr(begin, last.offset + last.text.size() - begin);
}

bool Code::stands_alone(std::size_t i) const {
  if (!is_name(i)) return false;
  const std::string_view before = i == 0 ? std::string_view() : text(i - 1);
  return before != "." && before != "->" && before != "::";
}

std::string Code::renamed(Range range, const Renames& renames) const {
  if (range.empty()) return {};
  std::string result;
  std::size_t written = m_tokens[range.begin].offset;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const auto found = renames.find(std::string(m_tokens[i].text));
    if (found == renames.end() || !stands_alone(i)) continue;
    result += m_source.substr(written, m_tokens[i].offset - written);
    result += found->second;
    written = m_tokens[i].offset + m_tokens[i].text.size();
  }
  const Token& last = m_tokens[range.end - 1];
  result += m_source.substr(written, last.offset + last.text.size() - written);
  return result;
}

std::set<std::string> Code::names(Range range) const {
  std::set<std::string> result;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    if (stands_alone(i)) result.emplace(m_tokens[i].text);
  }
  return result;
}

bool Code::uses(Range range, const std::string& name) const {
  for (std::size_t i = range.begin; i < range.end; ++i) {
    if (m_tokens[i].text == name && stands_alone(i)) return true;
  }
  return false;
}

std::string Code::fresh(const std::string& name) const {
  const auto taken = [this](const std::string& candidate) {
    return m_source.find(candidate) != std::string_view::npos;
  };
  std::string result = name;
  for (int number = 2; taken(result); ++number) result = name + std::to_string(number);
  return result;
}

std::string Code::indentation(std::size_t i) const {
  const std::size_t line = m_source.rfind('\n', m_tokens[i].offset);
  const std::size_t begin = line == std::string_view::npos ? 0 : line + 1;
  const std::size_t end = m_source.find_first_not_of(" \t", begin);
  return std::string(m_source.substr(begin, end - begin));
}

std::string edited(std::string_view source, std::vector<Edit> edits) {
  std::stable_sort(edits.begin(), edits.end(),
                   [](const Edit& a, const Edit& b) { return a.offset < b.offset; });
  std::string result;
  std::size_t written = 0;
  for (const Edit& edit : edits) {
    result += source.substr(written, edit.offset - written);
    result += edit.text;
    written = edit.offset + edit.length;
  }
  result += source.substr(written);
  return result;
}

std::string indented(std::string_view text, const std::string& indentation) {
  std::string result;
  int depth = 0;
  std::vector<Token> tokens;
  for (const Token& token : tokenize(text)) {
    if (token.kind != TokenKind::space) tokens.push_back(token);
  }
  std::size_t end = 0;  // of the token before
  for (const Token& token : tokens) {
    const std::string_view between = text.substr(end, token.offset - end);
    const bool closes = token.text == "}" || token.text == ")" || token.text == "]";
    if (closes) --depth;
    const bool new_line = between.find('\n') != std::string_view::npos;
    if (token.kind == TokenKind::directive) {
      result += new_line ? "\n" : "";
    } else if (new_line || end == 0) {
      result += new_line ? "\n" : "";
      result += indentation + std::string(2 * static_cast<std::size_t>(std::max(depth, 0)), ' ');
    } else {
      result += between;
    }
    result += token.text;
    if (token.text == "{" || token.text == "(" || token.text == "[") ++depth;
    end = token.offset + token.text.size();
  }
  return result;
}

Edit replacement(const Code& code, Range range, std::string text) {
  return {code.token(range.begin).offset, code.slice(range).size(), std::move(text)};
}

Edit line_before(const Code& code, std::size_t i, const std::string& text) {
  const std::size_t offset = code.token(i).offset;
  const std::size_t line = code.source().rfind('\n', offset);
  const std::size_t begin = line == std::string_view::npos ? 0 : line + 1;
  const bool first = code.source().find_first_not_of(" \t", begin) == offset;
  if (!first) return {offset, 0, "\n" + text + "\n"};
  return {begin, 0, text + "\n"};
}

Edit after_includes(const Code& code, const std::string& text) {
  std::size_t found = code.size();
  int conditions = 0;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!code.is_directive(i)) continue;
    const std::vector<Token> words = tokenize(code.text(i).substr(1));
    const auto word = std::find_if(words.begin(), words.end(), [](const Token& token) {
      return token.kind == TokenKind::identifier;
    });
    if (word == words.end()) continue;
    if (word->text.starts_with("if")) ++conditions;
    if (word->text == "endif") --conditions;
    if (word->text == "include" && conditions == 0) found = i;
  }
  if (found == code.size()) return {0, 0, text + "\n\n"};
  const Token& include = code.token(found);
  return {include.offset + include.text.size(), 0, "\n\n" + text};
}

}  // namespace robust_kbench
