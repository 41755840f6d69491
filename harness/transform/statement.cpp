#include "transform/statement.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace robust_kbench {
namespace {

class StatementParser {
 public:
  explicit StatementParser(const Code& code) : m_code(code) {}

  std::vector<SourceStatement> list(Range range) const {
    std::vector<SourceStatement> result;
    std::size_t at = range.begin;
    while (at < range.end) {
      SourceStatement statement = one(at, range.end);
      at = std::max(statement.range.end, at + 1);
      // `int a = 0, b = 1;` is two declarations, which no rule takes apart.
      result.push_back(std::move(statement));
    }
    return result;
  }

 private:
  SourceStatement one(std::size_t at, std::size_t end) const {
    const std::string_view first = m_code.text(at);
    if (m_code.is_directive(at)) return simple(StatementKind::pragma, {at, at + 1});
    if (first == "{") return block(at, end);
    if (first == "for") return loop(at, end);
    if (first == "if") return conditional(at, end);
    if (is_one_of(first, {"while", "switch", "do", "try", "else", "struct", "class", "union"})) {
      return simple(StatementKind::other, {at, whole(at, end)});
    }
    const Range range{at, to_semicolon(at, end)};
    if (is_one_of(first, {"return", "break", "continue", "goto", "throw", "co_return"})) {
      return simple(StatementKind::jump, range);
    }
    if (auto declaration = declared(range)) return *declaration;
    const bool opaque = is_one_of(first, {"using", "typedef", "static", "asm", "case", "default"});
    return simple(opaque ? StatementKind::other : StatementKind::expression, range);
  }

  static SourceStatement simple(StatementKind kind, Range range) {
    SourceStatement result;
    result.kind = kind;
    result.range = range;
    return result;
  }

  // The place after the semicolon of a statement.
  std::size_t to_semicolon(std::size_t at, std::size_t end) const {
    const std::size_t found = m_code.find({at, end}, ";");
    return std::min(found + 1, end);
  }

  // The place after a statement that is not looked into: its brackets, its block, and the rest
  // after `do`.
  std::size_t whole(std::size_t at, std::size_t end) const {
    for (std::size_t i = at; i < end; ++i) {
      const std::size_t close = m_code.partner(i);
      if (m_code.text(i) == ";") return i + 1;
      if (close == m_code.size() || close < i) continue;
      const bool braces = m_code.text(i) == "{";
      i = close;
      if (braces && !is_one_of(m_code.text(i + 1), {"while", "catch", ";", "else"})) return i + 1;
    }
    return end;
  }

  SourceStatement block(std::size_t at, std::size_t end) const {
    const std::size_t close = m_code.partner(at);
    if (close >= end) return simple(StatementKind::other, {at, end});
    SourceStatement result = simple(StatementKind::block, {at, close + 1});
    result.children = list({at + 1, close});
    return result;
  }

  // Adds the statements under a loop or a condition, and returns the place after them.
  std::size_t body(std::size_t at, std::size_t end, std::vector<SourceStatement>& into) const {
    if (at >= end) return end;
    if (m_code.text(at) == "{" && m_code.partner(at) < end) {
      into = list({at + 1, m_code.partner(at)});
      return m_code.partner(at) + 1;
    }
    into.push_back(one(at, end));
    // A pragma belongs to the statement after it.
    if (into.back().kind == StatementKind::pragma) return body(at + 1, end, into);
    return into.back().range.end;
  }

  SourceStatement conditional(std::size_t at, std::size_t end) const {
    std::size_t open = at + 1;
    if (m_code.text(open) == "constexpr") ++open;
    const std::size_t close = open < end ? m_code.partner(open) : end;
    if (m_code.text(open) != "(" || close >= end) {
      return simple(StatementKind::other, {at, to_semicolon(at, end)});
    }
    SourceStatement result = simple(StatementKind::conditional, {at, end});
    result.condition = {open + 1, close};
    result.range.end = body(close + 1, end, result.children);
    if (m_code.text(result.range.end) == "else" && result.range.end < end) {
      result.range.end = body(result.range.end + 1, end, result.otherwise);
    }
    return result;
  }

  SourceStatement loop(std::size_t at, std::size_t end) const {
    const std::size_t open = at + 1;
    const std::size_t close = open < end ? m_code.partner(open) : end;
    if (m_code.text(open) != "(" || close >= end) {
      return simple(StatementKind::other, {at, to_semicolon(at, end)});
    }
    SourceStatement result = simple(StatementKind::loop, {at, end});
    result.range.end = body(close + 1, end, result.children);
    const auto header = loop_header({open + 1, close});
    if (header) {
      result.loop = *header;
    } else {
      result.kind = StatementKind::other;
    }
    return result;
  }

  std::optional<LoopHeader> loop_header(Range range) const {
    const std::size_t first_end = m_code.find(range, ";");
    const std::size_t condition_end = m_code.find({first_end + 1, range.end}, ";");
    if (first_end >= range.end || condition_end >= range.end) return {};
    const auto start = declared({range.begin, first_end + 1});
    if (!start || start->declaration.initialiser.empty()) return {};
    LoopHeader header;
    header.type = start->declaration.type;
    header.variable = start->declaration.name;
    header.first = start->declaration.initialiser;
    const Range condition{first_end + 1, condition_end};
    if (!is_one_of(m_code.text(condition.begin + 1), {"<", "<=", "!="})) return {};
    if (m_code.text(condition.begin) != header.variable) return {};
    header.compare = m_code.text(condition.begin + 1);
    header.bound = {condition.begin + 2, condition.end};
    if (!is_compared_whole(header.bound) || m_code.uses(header.bound, header.variable)) return {};
    const Range step{condition_end + 1, range.end};
    if (step.size() == 2) {
      const bool plain = m_code.spells(step.begin, {"++", header.variable}) ||
                         m_code.spells(step.begin, {header.variable, "++"});
      return plain ? std::optional(header) : std::nullopt;
    }
    if (!m_code.spells(step.begin, {header.variable, "+="})) return {};
    header.step = {step.begin + 2, step.end};
    if (m_code.find(header.step, ",") < header.step.end) return {};
    return header;
  }

  // Whether the text after a comparison is compared as a whole, since its operators come first.
  bool is_compared_whole(Range bound) const {
    if (m_code.text(bound.begin) == "&") ++bound.begin;  // of an address
    for (const char* later : {"&&", "||", "&", "^", "|", "<=", ">=", "==", "!=", "?", ","}) {
      if (m_code.find(bound, later) < bound.end) return false;
    }
    const std::size_t less = m_code.find(bound, "<");
    if (less == bound.end) return m_code.find(bound, ">") == bound.end;
    // `static_cast<type>(...)` and the like
    const std::size_t after = template_end(less, bound.end);
    return after < bound.end && is_one_of(m_code.text(after), {"(", "::"});
  }

  // `T name = value;`, `T name{value};`, `T name(value);`, `T name[extent];` or `T name;`
  std::optional<SourceStatement> declared(Range range) const {
    if (range.size() < 3 || m_code.text(range.end - 1) != ";") return {};
    const std::size_t last = range.end - 1;
    const std::size_t type_end = type(range.begin, last);
    if (type_end == range.begin || !m_code.is_name(type_end) || type_end >= last) return {};
    SourceStatement result = simple(StatementKind::declaration, range);
    result.declaration.type = {range.begin, type_end};
    result.declaration.name = m_code.text(type_end);
    std::size_t at = type_end + 1;
    while (m_code.text(at) == "[" && m_code.partner(at) < last) at = m_code.partner(at) + 1;
    result.declaration.extents = {type_end + 1, at};
    if (at == last) return result;
    const bool brackets = m_code.text(at) == "{" || m_code.text(at) == "(";
    if (m_code.text(at) == "=") {
      result.declaration.initialiser = {at + 1, last};
    } else if (brackets && m_code.partner(at) + 1 == last) {
      result.declaration.initialiser = {at + 1, last - 1};
    } else {
      return {};
    }
    if (!brackets && declares_more(result.declaration.initialiser)) return {};
    return result;
  }

  // Whether a comma ends an initial value, and not an argument of a template.
  bool declares_more(Range initialiser) const {
    for (Range rest = initialiser; !rest.empty();) {
      const std::size_t comma = m_code.find(rest, ",");
      std::size_t next = comma + 1;
      while (is_one_of(m_code.text(next), {"*", "&"})) ++next;
      if (comma < rest.end && m_code.is_name(next) &&
          is_one_of(m_code.text(next + 1), {"=", ",", ";", "[", "{", "("})) {
        return true;
      }
      rest.begin = comma + 1;
    }
    return false;
  }

  // The place after a type, or `at` where none is: names with `::`, template arguments, `*` and
  // `&`.
  std::size_t type(std::size_t at, std::size_t end) const {
    std::size_t i = at;
    bool named = false;
    while (i < end) {
      const std::string_view text = m_code.text(i);
      if (is_one_of(text, {"const", "constexpr", "unsigned", "signed", "long", "short",
                           "__restrict__", "__restrict", "__shared__", "alignas", "volatile"})) {
        if (text == "volatile" || text == "alignas") return at;
        named = named || is_one_of(text, {"unsigned", "signed", "long", "short"});
        ++i;
      } else if (m_code.is_name(i) && !named) {
        if (is_one_of(text, {"return", "delete", "new", "static", "extern", "using", "typename"})) {
          return at;
        }
        named = true;
        ++i;
        while (m_code.text(i) == "::" && m_code.is_name(i + 1)) i += 2;
        if (m_code.text(i) == "<") {
          i = template_end(i, end);
          if (i == end) return at;
          while (m_code.text(i) == "::" && m_code.is_name(i + 1)) i += 2;
        }
      } else if ((m_code.is_name(i) && is_one_of(text, {"int", "double"}) && i + 1 < end &&
                  m_code.is_name(i + 1)) ||  // `long int name`
                 (named && (text == "*" || text == "&"))) {
        ++i;
      } else {
        break;
      }
    }
    return named ? i : at;
  }

  // The place after the `>` that closes template arguments of names and numbers, or `end`.
  std::size_t template_end(std::size_t at, std::size_t end) const {
    int depth = 0;
    for (std::size_t i = at; i < end; ++i) {
      const std::string_view text = m_code.text(i);
      if (text == "<") ++depth;
      if (text == ">" && --depth == 0) return i + 1;
      if (text == ">>" && (depth -= 2) <= 0) return i + 1;
      if (is_one_of(text, {";", "&&", "||", "{", "="})) return end;
    }
    return end;
  }

  const Code& m_code;
};

// The opening bracket of the parameters whose function has its body at `brace`, or size().
std::size_t parameters_before(const Code& code, std::size_t brace) {
  std::size_t i = brace;
  const auto back = [&] { return i == 0 ? std::string_view() : code.text(i - 1); };
  // A trailing type is the tokens of a type back to `->`.
  for (std::size_t k = i; k > 0 && brace - k < 8; --k) {
    if (code.text(k - 1) == "->") {
      i = k - 1;
      break;
    }
    if (!code.is_name(k - 1) && !is_one_of(code.text(k - 1), {"::", "<", ">", ",", "*", "&"}))
      break;
  }
  while (is_one_of(back(), {"const", "noexcept", "mutable", "override", "final"})) --i;
  if (back() != ")") return code.size();
  return code.partner(i - 1);
}

}  // namespace

std::vector<SourceStatement> parse_statements(const Code& code, Range range) {
  return StatementParser(code).list(range);
}

std::vector<Function> parse_functions(const Code& code) {
  std::vector<Function> result;
  for (std::size_t brace = 1; brace < code.size(); ++brace) {
    if (code.text(brace) != "{" || code.partner(brace) == code.size()) continue;
    const std::size_t open = parameters_before(code, brace);
    if (open == code.size() || open == 0) continue;
    Function function;
    const bool lambda = code.text(open - 1) == "]";
    if (!lambda) {
      if (!code.is_name(open - 1)) continue;
      if (is_one_of(code.text(open - 1), {"if", "for", "while", "switch", "catch", "constexpr"})) {
        continue;
      }
      function.name = code.text(open - 1);
    }
    std::size_t begin = open;
    while (begin > 0 && !is_one_of(code.text(begin - 1), {";", "}", "{"}) &&
           !code.is_directive(begin - 1)) {
      --begin;
    }
    function.head = {begin, code.partner(open) + 1};
    function.parameters = {open + 1, code.partner(open)};
    function.body = {brace, code.partner(brace) + 1};
    function.statements = parse_statements(code, {brace + 1, code.partner(brace)});
    result.push_back(std::move(function));
  }
  return result;
}

std::vector<const SourceStatement*> all_of(const std::vector<SourceStatement>& statements) {
  std::vector<const SourceStatement*> result;
  for (const SourceStatement& statement : statements) {
    const auto inner = all_in(statement);
    result.insert(result.end(), inner.begin(), inner.end());
  }
  return result;
}

std::vector<const SourceStatement*> all_in(const SourceStatement& statement) {
  std::vector<const SourceStatement*> result{&statement};
  for (const auto* list : {&statement.children, &statement.otherwise}) {
    const auto inner = all_of(*list);
    result.insert(result.end(), inner.begin(), inner.end());
  }
  return result;
}

bool holds_loop(const SourceStatement& statement) {
  const auto inner = all_in(statement);
  return std::any_of(inner.begin(), inner.end(),
                     [](const SourceStatement* s) { return s->kind == StatementKind::loop; });
}

std::vector<const SourceStatement*> loops_of(const std::vector<SourceStatement>& statements) {
  std::vector<const SourceStatement*> result = all_of(statements);
  std::erase_if(result, [](const SourceStatement* s) { return s->kind != StatementKind::loop; });
  return result;
}

}  // namespace robust_kbench
