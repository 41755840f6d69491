#include "transform/loop_facts.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "transform/calls.hpp"
#include "transform/movement.hpp"
#include "transform/reduction.hpp"

namespace robust_kbench {
namespace {

bool is_harmless_pragma(const Code& code, std::size_t i) {
  const std::string_view text = code.text(i);
  for (const std::string_view word : {"omp simd", "GCC unroll", "GCC ivdep", "#pragma unroll"}) {
    if (text.find(word) != std::string_view::npos) return true;
  }
  return false;
}

class Judge {
 public:
  Judge(const Code& code, const std::vector<Function>& functions, const SourceStatement& loop)
      : m_code(code), m_loop(loop), m_movement(code, functions, loop) {
    const Calls calls = calls_of(code, functions, body_of(loop));
    m_facts.math = calls.math;
    m_used_by_calls = calls.used;
    m_facts.understood = calls.pure && !loop.children.empty();
    m_facts.independent = true;
    m_facts.accumulates = true;
  }

  LoopFacts run() {
    for (const SourceStatement& statement : m_loop.children) look(statement, true);
    for (const Reduction& reduction : m_facts.reductions) {
      if (m_counted[reduction.variable] != occurrences(body_of(m_loop), reduction.variable)) {
        m_facts.understood = false;
      }
      if (m_code.uses(header(), reduction.variable)) m_facts.understood = false;
      if (m_used_by_calls.contains(reduction.variable)) m_facts.understood = false;
    }
    if (writes(m_code, m_loop.loop.first) || writes(m_code, m_loop.loop.bound) ||
        writes(m_code, m_loop.loop.step)) {
      m_facts.understood = false;
    }
    for (const Assignment& write : m_memory) check_reads(write);
    if (!m_facts.understood) return {};
    return std::move(m_facts);
  }

 private:
  void look(const SourceStatement& statement, bool own) {
    switch (statement.kind) {
      case StatementKind::declaration:
        // A reference is another name of something that may be written.
        if (writes(m_code, statement.declaration.initialiser) ||
            m_code.find(statement.declaration.type, "&") < statement.declaration.type.end) {
          m_facts.understood = false;
        }
        break;
      case StatementKind::expression:
        look_at_expression(statement);
        break;
      case StatementKind::loop:
        m_facts.has_inner_loop = true;
        look_at(statement.children, false);
        break;
      case StatementKind::conditional:
        if (const auto extreme = reduction_of_condition(m_code, statement);
            extreme && !is_local(extreme->variable)) {
          reduce(*extreme, statement.range);
          break;
        }
        m_facts.understood = m_facts.understood && !writes(m_code, statement.condition);
        look_at(statement.children, own);
        look_at(statement.otherwise, own);
        break;
      case StatementKind::block:
        look_at(statement.children, own);
        break;
      case StatementKind::jump:
        if (m_code.text(statement.range.begin) != "continue") m_facts.leaves = true;
        break;
      case StatementKind::pragma:
        m_facts.understood =
            m_facts.understood && is_harmless_pragma(m_code, statement.range.begin);
        break;
      case StatementKind::other:
        m_facts.understood = false;
        break;
    }
  }

  void look_at(const std::vector<SourceStatement>& statements, bool own) {
    for (const SourceStatement& statement : statements) look(statement, own);
  }

  void look_at_expression(const SourceStatement& statement) {
    const auto assignment = assignment_of(m_code, statement.range);
    if (!assignment) {
      m_facts.understood = m_facts.understood && statement.range.size() == 1;
    } else if (assignment->indices.empty()) {
      if (is_local(assignment->target)) return;
      const auto reduction = reduction_of(m_code, *assignment);
      if (reduction) {
        reduce(*reduction, statement.range);
      } else {
        m_facts.understood = false;
      }
    } else if (is_array(assignment->target)) {
      return;  // each iteration has its own
    } else {
      write_memory(*assignment);
    }
  }

  // The head of the loop, by which it counts, in round brackets.
  [[nodiscard]] Range header() const {
    const std::size_t open = m_loop.range.begin + 1;
    return {open + 1, m_code.partner(open)};
  }

  [[nodiscard]] bool is_local(const std::string& name) const {
    return m_movement.locals().contains(name);
  }

  // Whether the body declares the name as an array.
  [[nodiscard]] bool is_array(const std::string& name) const {
    const auto statements = all_of(m_loop.children);
    return std::any_of(statements.begin(), statements.end(), [&](const SourceStatement* statement) {
      return statement->kind == StatementKind::declaration && statement->declaration.name == name &&
             !statement->declaration.extents.empty();
    });
  }

  void write_memory(const Assignment& assignment) {
    m_facts.writes_memory = true;
    m_memory.push_back(assignment);
    const Motion motion = m_movement.motion(assignment.target, assignment.indices);
    const bool adds = assignment.operation == "+=" || assignment.operation == "-=";
    const bool distinct =
        (motion.movement == Movement::unit || motion.movement == Movement::scaled) &&
        !motion.shared;
    if (distinct) return;
    m_facts.independent = false;
    if (motion.movement != Movement::none || !adds) m_facts.accumulates = false;
  }

  // An element that is written may be read again only where the same iteration wrote it.
  void check_reads(const Assignment& write) {
    const std::string root = m_movement.root(write.target);
    if (m_used_by_calls.contains(root)) m_facts.understood = false;
    for (const Element& element : elements_of(m_code, header())) {
      if (m_movement.root(element.name) == root) m_facts.understood = false;
    }
    const Range body = body_of(m_loop);
    for (std::size_t i = body.begin; i < body.end; ++i) {
      if (!m_code.is_name(i) || m_movement.root(std::string(m_code.text(i))) != root) continue;
      if (!m_code.opens_index(i + 1)) {
        if (made_into_pointer(i)) continue;
        m_facts.understood = false;
        return;
      }
      const bool same = std::any_of(m_memory.begin(), m_memory.end(), [&](const Assignment& other) {
        return same_text({i, i + other.place.size()}, other.place);
      });
      if (!same) m_facts.independent = m_facts.accumulates = false;
    }
  }

  // Whether a name without an index is that of a declaration, or the pointer it is made of.
  [[nodiscard]] bool made_into_pointer(std::size_t i) const {
    const auto statements = all_of(m_loop.children);
    return std::any_of(statements.begin(), statements.end(), [&](const SourceStatement* statement) {
      return statement->kind == StatementKind::declaration && statement->range.holds({i, i + 1});
    });
  }

  [[nodiscard]] bool same_text(Range a, Range b) const {
    for (std::size_t k = 0; k < b.size(); ++k) {
      if (m_code.text(a.begin + k) != m_code.text(b.begin + k)) return false;
    }
    return true;
  }

  void reduce(const Reduction& reduction, Range statement) {
    m_counted[reduction.variable] += occurrences(statement, reduction.variable);
    for (const Reduction& known : m_facts.reductions) {
      if (known.variable != reduction.variable) continue;
      if (known.operation != reduction.operation) m_facts.understood = false;
      return;
    }
    m_facts.reductions.push_back(reduction);
  }

  [[nodiscard]] int occurrences(Range range, const std::string& name) const {
    int count = 0;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (m_code.text(i) == name) ++count;
    }
    return count;
  }

  const Code& m_code;
  const SourceStatement& m_loop;
  MovementAnalysis m_movement;
  LoopFacts m_facts;
  std::vector<Assignment> m_memory;
  std::map<std::string, int> m_counted;
  std::set<std::string> m_used_by_calls;
};

}  // namespace

Range body_of(const SourceStatement& loop) {
  if (loop.children.empty()) return {};
  return {loop.children.front().range.begin, loop.children.back().range.end};
}

LoopFacts facts_of(const Code& code, const std::vector<Function>& functions,
                   const SourceStatement& loop) {
  return Judge(code, functions, loop).run();
}

}  // namespace robust_kbench
