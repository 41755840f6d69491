#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "transform/loop_facts.hpp"
#include "transform/movement.hpp"
#include "transform/rules/rules.hpp"

namespace robust_kbench {
namespace {

constexpr int counts[]{4, 2, 8};  // iterations that go together; the best one of most kernels first

// Lets several iterations of a loop go through the loops in it together, so that these load once
// what the iterations share. Variables of an iteration are there once for each.
class UnrollAndJam {
 public:
  UnrollAndJam(const RuleContext& context, const SourceStatement& loop, int count,
               FreshNames& names)
      : m_code(context.code),
        m_loop(loop),
        m_movement(context.code, context.functions, loop),
        m_variable(loop.loop.variable),
        m_copies(static_cast<std::size_t>(count)),
        m_names(names) {
    for (std::size_t k = 0; k < m_copies.size(); ++k) {
      const std::string moved = "(" + m_variable + " + " + std::to_string(k) + ")";
      m_copies[k][m_variable] = k == 0 ? m_variable : moved;
    }
  }

  // The new text of the loop; empty where a statement forbids it.
  std::string run() {
    const std::string type(m_code.slice(m_loop.loop.type));
    const std::string first(m_code.slice(m_loop.loop.first));
    const std::string bound = operand(m_code, m_loop.loop.bound);
    const std::string whole = m_names.make(m_variable + "_whole");
    const std::string count = std::to_string(m_copies.size());
    const std::string jammed = list(m_loop.children);
    if (m_forbidden) return {};
    const std::string rest(m_code.slice(body_of(m_loop)));
    return "const " + type + " " + whole + " = " + end_of_groups(m_code, m_loop.loop, count) +
           ";\nfor (" + type + " " + m_variable + " = " + first + "; " + m_variable + " < " +
           whole + "; " + m_variable + " += " + count + ") {\n" + jammed + "}\nfor (" + type + " " +
           m_variable + " = " + whole + "; " + m_variable + " < " + bound + "; ++" + m_variable +
           ") {\n" + rest + "\n}";
  }

 private:
  std::string list(const std::vector<SourceStatement>& statements) {
    std::string result;
    for (const SourceStatement& statement : statements) result += one(statement);
    return result;
  }

  std::string one(const SourceStatement& statement) {
    switch (statement.kind) {
      case StatementKind::declaration:
        return declaration(statement);
      case StatementKind::expression:
        return copies(statement.range);
      case StatementKind::pragma:
        return pragma(statement) + "\n";
      case StatementKind::loop: {
        const Range header{statement.range.begin, m_code.partner(statement.range.begin + 1) + 1};
        require_same(header);
        return std::string(m_code.slice(header)) + " {\n" + list(statement.children) + "}\n";
      }
      case StatementKind::block:
        return "{\n" + list(statement.children) + "}\n";
      case StatementKind::conditional:
        return conditional(statement);
      default:
        m_forbidden = true;
        return {};
    }
  }

  std::string declaration(const SourceStatement& statement) {
    const Declaration& declared = statement.declaration;
    const bool own = m_movement.depends(declared.initialiser) || has_copies(declared.initialiser) ||
                     m_movement.is_written(declared.name) || declared.initialiser.empty();
    if (!own) return std::string(m_code.slice(statement.range)) + "\n";
    for (std::size_t k = 0; k < m_copies.size(); ++k) {
      m_copies[k][declared.name] = m_names.make(declared.name + "_" + std::to_string(k));
    }
    m_copied.insert(declared.name);
    return copies(statement.range);
  }

  std::string copies(Range range) const {
    std::string result;
    for (const Renames& renames : m_copies) result += m_code.renamed(range, renames) + "\n";
    return result;
  }

  std::string conditional(const SourceStatement& statement) {
    const auto inner = all_in(statement);
    const auto has = [&](StatementKind kind) {
      return std::any_of(inner.begin(), inner.end(),
                         [kind](const SourceStatement* s) { return s->kind == kind; });
    };
    if (has(StatementKind::other)) m_forbidden = true;
    const bool same = !m_movement.depends(statement.condition) && !has_copies(statement.condition);
    if (!same && (has(StatementKind::loop) || has(StatementKind::jump))) m_forbidden = true;
    if (!same) return copies(statement.range);
    // A `continue` that all iterations come to leaves the loop that is around them now.
    if (has(StatementKind::jump)) return std::string(m_code.slice(statement.range)) + "\n";
    std::string result = "if (" + std::string(m_code.slice(statement.condition)) + ") {\n" +
                         list(statement.children) + "}";
    if (!statement.otherwise.empty()) result += " else {\n" + list(statement.otherwise) + "}";
    return result + "\n";
  }

  // The pragma with all copies of a variable where a clause names it.
  [[nodiscard]] std::string pragma(const SourceStatement& statement) const {
    const std::string_view text = m_code.text(statement.range.begin);
    std::string result = "#";
    for (const Token& token : tokenize(text.substr(1))) {
      const std::string name(token.text);
      if (!m_copied.contains(name)) {
        result += name;
        continue;
      }
      for (std::size_t k = 0; k < m_copies.size(); ++k) {
        result += (k == 0 ? "" : ", ") + m_copies[k].at(name);
      }
    }
    return result;
  }

  void require_same(Range header) {
    if (m_movement.depends(header) || has_copies(header)) m_forbidden = true;
  }

  [[nodiscard]] bool has_copies(Range range) const {
    return std::any_of(m_copied.begin(), m_copied.end(),
                       [&](const std::string& name) { return m_code.uses(range, name); });
  }

  const Code& m_code;
  const SourceStatement& m_loop;
  MovementAnalysis m_movement;
  std::string m_variable;
  std::vector<Renames> m_copies;  // the names of each iteration
  std::set<std::string> m_copied;
  FreshNames& m_names;
  bool m_forbidden = false;
};

// Whether the innermost loops go through elements that all iterations of a loop share.
bool shares_elements(const RuleContext& context, const SourceStatement& loop) {
  const MovementAnalysis movement(context.code, context.functions, loop);
  for (const SourceStatement* inner : loops_of(loop.children)) {
    if (!loops_of(inner->children).empty() || is_in_remainder(context, *inner)) continue;
    const MovementAnalysis inside(context.code, context.functions, *inner);
    for (const Element& element : elements_of(context.code, body_of(*inner))) {
      if (movement.locals().contains(element.name)) continue;
      if (inside.motion(element.name, element.indices).movement != Movement::none &&
          movement.motion(element.name, element.indices).movement == Movement::none) {
        return true;
      }
    }
  }
  return false;
}

bool is_jammable(const RuleContext& context, const SourceStatement& loop) {
  const LoopHeader& header = loop.loop;
  if (!header.step.empty() || header.compare != "<") return false;
  if (is_in_remainder(context, loop) || has_pragma(context.code, loop, "omp")) return false;
  const LoopFacts facts = facts_of(context.code, context.functions, loop);
  if (!facts.understood || facts.leaves || !facts.has_inner_loop) return false;
  const bool sums = std::all_of(facts.reductions.begin(), facts.reductions.end(),
                                [](const Reduction& r) { return r.operation == "+"; });
  return (facts.independent || facts.accumulates) && sums && shares_elements(context, loop);
}

RuleResult changes(const RuleContext& context, const std::vector<const SourceStatement*>& loops,
                   int count) {
  RuleResult result{"unroll_and_jam", {}};
  FreshNames names(context.code);
  for (const SourceStatement* loop : loops) {
    const std::string text = UnrollAndJam(context, *loop, count, names).run();
    if (text.empty()) continue;
    result.changes.push_back({std::to_string(count) + " iterations of the loop over " +
                                  loop->loop.variable + " together",
                              loop->range,
                              {statement_replacement(context.code, *loop, text)}});
  }
  return result;
}

}  // namespace

std::vector<RuleResult> unroll_and_jam(const RuleContext& context) {
  std::vector<const SourceStatement*> loops;
  for (const Function& function : context.functions) {
    for (const SourceStatement* loop : loops_of(function.statements)) {
      if (is_jammable(context, *loop)) loops.push_back(loop);
    }
  }
  // Around the innermost loops the copies stay in registers. Around those, rows are shared, too.
  std::vector<const SourceStatement*> inner;
  std::vector<const SourceStatement*> outer;
  for (const SourceStatement* loop : loops) {
    const bool holds_other = std::any_of(loops.begin(), loops.end(), [&](const auto* other) {
      return other != loop && loop->range.holds(other->range);
    });
    (holds_other ? outer : inner).push_back(loop);
  }
  std::vector<RuleResult> result;
  for (const int count : counts) {
    result.push_back(changes(context, inner, count));
    result.push_back(changes(context, outer, count));
  }
  return result;
}

}  // namespace robust_kbench
