#include "transform/loop_form.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "transform/assignment.hpp"
#include "transform/name_changes.hpp"
#include "transform/statement.hpp"

namespace robust_kbench {
namespace {

class LoopForm {
 public:
  explicit LoopForm(std::string_view source)
      : m_code(source), m_functions(parse_functions(m_code)) {}

  std::string run() {
    for (const Function& function : m_functions) {
      for (std::size_t i = function.body.begin; i < function.body.end; ++i) {
        if (m_code.text(i) == "while") while_loop(i);
        if (m_code.text(i) == "for") for_loop(i, function);
      }
    }
    return edited(m_code.source(), m_edits);
  }

 private:
  // T i = a;  while (i < b) { ... ++i; }
  void while_loop(std::size_t at) {
    const std::size_t open = at + 1;
    const std::size_t close = m_code.partner(open);
    const std::size_t brace = close + 1;
    if (m_code.text(open) != "(" || m_code.text(brace) != "{") return;
    const std::size_t end = m_code.partner(brace);
    if (end >= m_code.size() || !m_code.is_name(open + 1)) return;
    const std::string variable(m_code.text(open + 1));
    const std::string_view compare = m_code.text(open + 2);
    if (compare != "<" && compare != "<=" && compare != "!=") return;
    const Range bound{open + 3, close};
    if (m_code.uses(bound, variable) || m_code.find(bound, "&&") < close ||
        m_code.find(bound, "||") < close) {
      return;
    }
    const auto body = parse_statements(m_code, {brace + 1, end});
    if (body.empty()) return;
    const std::string step = step_of(body.back(), variable);
    if (step.empty() || writes_before_step(body, variable)) return;
    if (uses_own_names(body, variable)) return;
    const auto declaration = declaration_before(at, variable);
    if (!declaration || is_used_after(end, variable)) return;
    const Declaration& declared = declaration->declaration;
    m_edits.push_back(replacement(m_code, declaration->range, ""));
    m_edits.push_back(
        replacement(m_code, {at, close + 1},
                    "for (" + std::string(m_code.slice(declared.type)) + " " + variable + " = " +
                        std::string(m_code.slice(declared.initialiser)) + "; " +
                        std::string(m_code.slice({open + 1, close})) + "; " + step + ")"));
    m_edits.push_back(replacement(m_code, body.back().range, ""));
  }

  // `++i` or `i += c` for a statement that does that; else empty.
  [[nodiscard]] std::string step_of(const SourceStatement& statement,
                                    const std::string& variable) const {
    if (statement.kind != StatementKind::expression) return {};
    const auto assignment = assignment_of(m_code, statement.range);
    if (!assignment || assignment->target != variable || !assignment->indices.empty()) return {};
    if (assignment->operation == "+=") {
      if (assignment->value.empty()) return "++" + variable;
      return variable + " += " + std::string(m_code.slice(assignment->value));
    }
    if (assignment->operation != "=") return {};
    const Range value = assignment->value;
    if (value.size() != 3 || !m_code.spells(value.begin, {variable, "+"})) return {};
    const std::string count(m_code.text(value.end - 1));
    return count == "1" ? "++" + variable : variable + " += " + count;
  }

  // Whether something but the last statement writes the variable, or passes the step by.
  [[nodiscard]] bool writes_before_step(const std::vector<SourceStatement>& body,
                                        const std::string& variable) const {
    const Range before{body.front().range.begin, body.back().range.begin};
    for (std::size_t i = before.begin; i < before.end; ++i) {
      if (m_code.text(i) == "continue" || m_code.text(i) == "goto") return true;
      if (m_code.text(i) != variable) continue;
      if (m_code.text(i - 1) == "&" && !m_code.is_name(i - 2)) return true;
      if (writes(m_code, {i - 1, i}) && m_code.text(i - 1) != "=") return true;
      if (i + 1 < before.end && writes(m_code, {i + 1, i + 2})) return true;
    }
    return false;
  }

  // Whether the step uses a name that the body may declare, which the header would not know.
  [[nodiscard]] bool uses_own_names(const std::vector<SourceStatement>& body,
                                    const std::string& variable) const {
    std::set<std::string> names = m_code.names(body.back().range);
    names.erase(variable);
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return may_declare(m_code, {body.begin(), body.end() - 1}, name);
    });
  }

  // The declaration in the same block that gives the variable its first value, with nothing between
  // but declarations that do not use it.
  [[nodiscard]] std::optional<SourceStatement> declaration_before(
      std::size_t at, const std::string& variable) const {
    std::size_t begin = at;
    int depth = 0;
    while (begin > 0 && depth <= 0) {
      --begin;
      if (m_code.text(begin) == "{" && ++depth > 0) break;
      if (m_code.text(begin) == "}") --depth;
    }
    const auto statements = parse_statements(m_code, {begin + 1, at});
    std::vector<SourceStatement> passed;  // by the first value on its way to the header
    for (auto statement = statements.rbegin(); statement != statements.rend(); ++statement) {
      if (statement->kind != StatementKind::declaration) return {};
      if (statement->declaration.name == variable) {
        const bool plain =
            statement->declaration.extents.empty() &&
            statement->declaration.initialiser.size() > 0 &&
            m_code.find(statement->declaration.type, "*") == statement->declaration.type.end &&
            is_same_after(passed, statement->declaration.initialiser);
        return plain ? std::optional(*statement) : std::nullopt;
      }
      if (m_code.uses(statement->range, variable)) return {};
      passed.insert(passed.begin(), *statement);
    }
    return {};
  }

  [[nodiscard]] bool is_same_after(const std::vector<SourceStatement>& passed, Range value) const {
    const std::set<std::string> names = m_code.names(value);
    return std::none_of(names.begin(), names.end(), [&](const std::string& name) {
      return may_declare(m_code, passed, name) ||
             std::any_of(passed.begin(), passed.end(), [&](const SourceStatement& statement) {
               return may_write(m_code, statement.range, name);
             });
    });
  }

  // Whether the rest of the block that holds a loop uses the variable.
  [[nodiscard]] bool is_used_after(std::size_t end, const std::string& variable) const {
    int depth = 0;
    for (std::size_t i = end + 1; i < m_code.size() && depth >= 0; ++i) {
      if (m_code.text(i) == "{") ++depth;
      if (m_code.text(i) == "}") --depth;
      if (m_code.uses({i, i + 1}, variable)) return true;
    }
    return false;
  }

  // T i;  for (i = a; i < b; ++i)
  void for_loop(std::size_t at, const Function& function) {
    if (m_code.text(at + 1) != "(" || m_code.text(at + 3) != "=" || !m_code.is_name(at + 2)) return;
    const std::string variable(m_code.text(at + 2));
    const std::string type = type_of_unset(function, variable);
    if (type.empty() || !sets_one(at)) return;
    // The variable of the loop hides the one before it, which nothing else may use.
    std::size_t i = function.body.begin;
    while (i < function.body.end) {
      if (m_code.spells(i, {"for", "(", variable, "="})) {
        if (!sets_one(i)) return;
        i = one_past_loop(i);
        continue;
      }
      if (m_code.uses({i, i + 1}, variable) && !is_declared_at(i)) return;
      ++i;
    }
    m_edits.push_back({m_code.token(at + 2).offset, 0, type + " "});
  }

  // Whether a loop's first clause gives its variable a value, which it does not make of the old
  // one, and does no more. A comma would declare further variables.
  [[nodiscard]] bool sets_one(std::size_t loop) const {
    const Range clauses{loop + 2, m_code.partner(loop + 1)};
    if (clauses.end >= m_code.size()) return false;
    const Range value{loop + 4, m_code.find(clauses, ";")};
    return m_code.find(value, ",") == value.end && !writes(m_code, value) &&
           !m_code.uses(value, std::string(m_code.text(loop + 2)));
  }

  // The type of `int i, j;` where that has no values.
  [[nodiscard]] std::string type_of_unset(const Function& function,
                                          const std::string& variable) const {
    for (std::size_t i = function.body.begin; i + 2 < function.body.end; ++i) {
      if (m_code.text(i) != variable || !is_declared_at(i)) continue;
      std::size_t first = i;
      while (m_code.text(first - 1) == ",") first -= 2;
      return std::string(m_code.text(first - 1));
    }
    return {};
  }

  // Whether a name stands in a list `type a, b, c;`.
  [[nodiscard]] bool is_declared_at(std::size_t i) const {
    std::size_t first = i;
    while (first > 2 && m_code.text(first - 1) == "," && m_code.is_name(first - 2)) first -= 2;
    const std::string_view before = first < 2 ? std::string_view() : m_code.text(first - 2);
    if (!m_code.is_name(first - 1) || m_code.text(first - 1) == "return") return false;
    if (before != ";" && before != "{" && before != "}") return false;
    std::size_t last = i;
    while (m_code.text(last + 1) == "," && m_code.is_name(last + 2)) last += 2;
    return m_code.text(last + 1) == ";";
  }

  [[nodiscard]] std::size_t one_past_loop(std::size_t at) const {
    const std::size_t close = m_code.partner(at + 1);
    if (close >= m_code.size()) return m_code.size();
    const auto statements = parse_statements(m_code, {at, m_code.size()});
    return statements.front().range.end;
  }

  const Code m_code;
  const std::vector<Function> m_functions;
  std::vector<Edit> m_edits;
};

}  // namespace

std::string with_counted_loops(std::string_view source) {
  return LoopForm(source).run();
}

}  // namespace robust_kbench
