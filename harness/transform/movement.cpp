#include "transform/movement.hpp"

#include <algorithm>
#include <string_view>

namespace robust_kbench {
namespace {

constexpr int deepest_names = 8;  // names made of names that are followed

// Cuts a range at signs outside of brackets.
std::vector<Range> split(const Code& code, Range range,
                         std::initializer_list<std::string_view> signs) {
  std::vector<Range> parts;
  std::size_t begin = range.begin;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const std::size_t close = code.partner(i);
    if (close != code.size() && close > i) {
      i = close;
      continue;
    }
    if (i == begin || !is_one_of(code.text(i), signs)) continue;
    if (is_one_of(code.text(i - 1), {"+", "-", "*", "/", "%", "(", ",", "=", "<", ">"})) continue;
    parts.push_back({begin, i});
    begin = i + 1;
  }
  parts.push_back({begin, range.end});
  return parts;
}

bool has_outside_brackets(const Code& code, Range range,
                          std::initializer_list<std::string_view> signs) {
  return std::any_of(signs.begin(), signs.end(),
                     [&](std::string_view sign) { return code.find(range, sign) < range.end; });
}

// The sum of two motions, of which at most one may move.
Motion sum(const Motion& a, const Motion& b) {
  if (a.movement == Movement::none) return b;
  if (b.movement == Movement::none) return a;
  return {Movement::unknown, false, true};
}

}  // namespace

MovementAnalysis::MovementAnalysis(const Code& code, const std::vector<Function>& functions,
                                   const SourceStatement& loop)
    : m_code(code), m_loop(loop), m_statements(all_of(loop.children)) {
  for (const Function& function : functions) {
    if (!function.body.holds(loop.range)) continue;
    for (const SourceStatement* statement : all_of(function.statements))
      m_outside.push_back(statement);
  }
  for (const SourceStatement* statement : m_statements) {
    if (statement->kind == StatementKind::declaration) m_locals.insert(statement->declaration.name);
    if (statement->kind == StatementKind::loop) {
      m_locals.insert(statement->loop.variable);
      m_inner.insert(statement->loop.variable);
    }
    if (statement->kind != StatementKind::expression) continue;
    const auto assignment = assignment_of(code, statement->range);
    if (assignment && assignment->indices.empty()) m_written.insert(assignment->target);
  }
  find_dependent();
}

// Repeats until nothing is added, since a name may be made of one that comes later.
void MovementAnalysis::find_dependent() {
  m_dependent.insert(m_loop.loop.variable);
  for (bool grown = true; grown;) {
    const std::size_t before = m_dependent.size() + m_inner.size();
    for (const SourceStatement* statement : m_statements) {
      if (statement->kind == StatementKind::declaration) {
        const Range value = statement->declaration.initialiser;
        if (depends(value)) m_dependent.insert(statement->declaration.name);
        if (moves_inside(value)) m_inner.insert(statement->declaration.name);
      } else if (statement->kind == StatementKind::loop) {
        const LoopHeader& header = statement->loop;
        if (depends(header.first) || depends(header.bound) || depends(header.step)) {
          m_dependent.insert(header.variable);
        }
      } else if (statement->kind == StatementKind::expression) {
        const auto assignment = assignment_of(m_code, statement->range);
        if (assignment && m_locals.contains(assignment->target) && depends(statement->range)) {
          m_dependent.insert(assignment->target);
        }
      } else if (statement->kind == StatementKind::conditional && depends(statement->condition)) {
        for (const std::string& name : m_written) {
          if (m_locals.contains(name) && m_code.uses(statement->range, name)) {
            m_dependent.insert(name);
          }
        }
      }
    }
    grown = m_dependent.size() + m_inner.size() > before;
  }
}

bool MovementAnalysis::depends(Range expression) const {
  const auto names = m_code.names(expression);
  return std::any_of(names.begin(), names.end(),
                     [this](const std::string& name) { return m_dependent.contains(name); });
}

bool MovementAnalysis::moves_inside(Range expression) const {
  const auto names = m_code.names(expression);
  return std::any_of(names.begin(), names.end(),
                     [this](const std::string& name) { return m_inner.contains(name); });
}

// The expression without brackets and conversions around the whole.
Range MovementAnalysis::stripped(Range expression) const {
  while (expression.size() > 2) {
    std::size_t open = expression.begin;
    if (m_code.text(open) == "static_cast") {
      while (open < expression.end && m_code.text(open) != "(") ++open;
    } else if (is_one_of(m_code.text(open), {"int", "int64_t", "size_t", "long", "int32_t"})) {
      ++open;
    }
    if (m_code.text(open) != "(" || m_code.partner(open) + 1 != expression.end) break;
    expression = {open + 1, expression.end - 1};
  }
  return expression;
}

Motion MovementAnalysis::motion(Range expression, int depth) const {
  if (!depends(expression)) return {};
  expression = stripped(expression);
  if (depth > deepest_names ||
      has_outside_brackets(m_code, expression,
                           {"?", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "<<", ">>", "%", "/",
                            "|", "^", "~", "!"})) {
    return {Movement::unknown, false, true};
  }
  Motion result;
  std::vector<Range> inside;
  for (const Range term : split(m_code, expression, {"+", "-"})) {
    if (depends(term)) {
      result = sum(result, motion_of_term(term, depth));
    } else if (moves_inside(term)) {
      inside.push_back(term);
    }
  }
  for (const Range term : inside) result.shared = result.shared || repeats(result, term);
  return result;
}

// Whether an inner loop's term reaches what the next iteration starts with. It does not where the
// factor is the inner loop's extent, as a row's length is.
bool MovementAnalysis::repeats(const Motion& motion, Range inside) const {
  if (motion.movement != Movement::scaled || motion.by_number) return true;
  std::set<std::string> names;
  add_origins(inside, names);
  return std::none_of(names.begin(), names.end(),
                      [&](const std::string& name) { return motion.factors.contains(name); });
}

// Adds the names of an expression, members with what they belong to. Names of which these are made
// follow: those of constants' initial values and of loops' extents.
void MovementAnalysis::add_origins(Range expression, std::set<std::string>& names) const {
  for (std::size_t i = expression.begin; i < expression.end; ++i) {
    if (!m_code.is_name(i)) continue;
    std::string name(m_code.text(i));
    const std::string first = name;
    while (is_one_of(m_code.text(i + 1), {".", "->", "::"}) && m_code.is_name(i + 2)) {
      name += m_code.text(i + 1);
      name += m_code.text(i + 2);
      i += 2;
    }
    if (!names.insert(name).second || name != first) continue;
    for (const SourceStatement* statement : m_outside) {
      if (statement->kind == StatementKind::declaration && statement->declaration.name == name) {
        add_origins(statement->declaration.initialiser, names);
      } else if (statement->kind == StatementKind::loop && statement->loop.variable == name) {
        add_origins(statement->loop.first, names);
        add_origins(statement->loop.bound, names);
      }
    }
  }
}

Motion MovementAnalysis::motion_of_term(Range term, int depth) const {
  term = stripped(term);
  const std::vector<Range> sums = split(m_code, term, {"+", "-"});
  if (sums.size() > 1) return motion(term, depth + 1);
  const std::vector<Range> factors = split(m_code, term, {"*"});
  if (factors.size() == 1) {
    if (term.size() == 1 && m_code.is_name(term.begin)) {
      return motion_of_name(std::string(m_code.text(term.begin)), depth);
    }
    // The address of an element, &y[index].
    if (m_code.text(term.begin) == "&" && m_code.text(term.begin + 2) == "[" &&
        m_code.partner(term.begin + 2) + 1 == term.end) {
      return motion(std::string(m_code.text(term.begin + 1)), {{term.begin + 3, term.end - 1}});
    }
    return {Movement::unknown, false, true};
  }
  Motion result;
  bool by_number = true;
  std::set<std::string> names;
  for (const Range factor : factors) {
    if (depends(factor)) {
      result = sum(result, motion(factor, depth + 1));
    } else {
      by_number =
          by_number && factor.size() == 1 && m_code.token(factor.begin).kind == TokenKind::number;
      add_origins(factor, names);
    }
  }
  if (result.movement == Movement::unknown) return result;
  const bool fine = result.movement == Movement::unit || result.by_number;
  return {Movement::scaled, fine && by_number, result.shared, names};
}

Motion MovementAnalysis::motion_of_name(const std::string& name, int depth) const {
  if (name == m_loop.loop.variable) return {Movement::unit, false, false};
  if (!m_locals.contains(name) || m_written.contains(name)) return {Movement::unknown, false, true};
  Motion result;
  for (const SourceStatement* statement : m_statements) {
    if (statement->kind == StatementKind::loop && statement->loop.variable == name) {
      return {Movement::unknown, false, true};
    }
    if (statement->kind != StatementKind::declaration) continue;
    if (statement->declaration.name != name) continue;
    const Motion motion_here = motion(statement->declaration.initialiser, depth + 1);
    if (result.movement != Movement::none && result.movement != motion_here.movement) {
      return {Movement::unknown, false, true};
    }
    result = motion_here;
  }
  return result;
}

Motion MovementAnalysis::motion(const std::string& name, const std::vector<Range>& indices) const {
  Motion result;
  if (m_dependent.contains(name)) result = motion_of_name(name, 0);
  const bool pointer_moves = result.movement != Movement::none;
  for (const Range index : indices) {
    if (pointer_moves && moves_inside(index) && repeats(result, index)) result.shared = true;
    result = sum(result, motion(index, 0));
  }
  return result;
}

std::string MovementAnalysis::root(const std::string& name) const {
  std::string result = name;
  for (int depth = 0; depth < deepest_names; ++depth) {
    if (!m_locals.contains(result)) return result;
    const auto found = std::find_if(m_statements.begin(), m_statements.end(),
                                    [&](const SourceStatement* statement) {
                                      return statement->kind == StatementKind::declaration &&
                                             statement->declaration.name == result &&
                                             !statement->declaration.initialiser.empty();
                                    });
    if (found == m_statements.end()) return result;
    const Declaration& declaration = (*found)->declaration;
    const bool pointer = m_code.find(declaration.type, "*") < declaration.type.end ||
                         m_code.text(declaration.type.end - 1) == "auto";
    std::size_t first = declaration.initialiser.begin;
    while (is_one_of(m_code.text(first), {"&", "("})) ++first;
    if (!pointer || !m_code.is_name(first)) return result;
    result = m_code.text(first);
  }
  return result;
}

int MovementAnalysis::contiguity(Range range) const {
  int result = 0;
  for (const Element& element : elements_of(m_code, range)) {
    const Motion moved = motion(element.name, element.indices);
    const bool last = element.indices.size() == 1 || depends(element.indices.back());
    const bool strided = moved.movement == Movement::scaled && !moved.by_number && !moved.shared;
    if (moved.movement == Movement::unit && last) {
      ++result;
    } else if (moved.movement == Movement::unit || moved.movement == Movement::unknown || strided) {
      --result;
    }
  }
  return result;
}

}  // namespace robust_kbench
