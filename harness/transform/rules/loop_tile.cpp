#include "transform/rules/loop_tile.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "transform/loop_facts.hpp"
#include "transform/movement.hpp"
#include "transform/rules/guarded_iterations.hpp"
#include "transform/rules/loaded_once.hpp"

namespace robust_kbench {
namespace {

// Up to this many iterations go through the inner loops one by one, as before. Vectors gain nothing
// there.
constexpr const char* few = "8";

// Moves a loop to the inside of the loops that it holds. A tile of its iterations goes through them
// together, so that variables of an iteration become arrays with one element for each.
class LoopTile {
 public:
  LoopTile(const RuleContext& context, const SourceStatement& loop, FreshNames& names)
      : m_context(context),
        m_code(context.code),
        m_loop(loop),
        m_movement(context.code, context.functions, loop),
        m_variable(loop.loop.variable),
        m_type(context.code.slice(loop.loop.type)),
        m_begin(names.make(m_variable + "_begin")),
        m_whole(names.make(m_variable + "_whole")),
        m_block(names.make(m_variable + "_block")),
        m_names(names) {
    for (const SourceStatement* statement : all_of(loop.children)) {
      if (statement->kind != StatementKind::expression) continue;
      const auto assignment = assignment_of(m_code, statement->range);
      if (assignment && !assignment->indices.empty()) {
        m_written_roots.insert(m_movement.root(assignment->target));
      }
    }
  }

  // The new text of the loop; empty where a statement forbids it.
  std::string run() {
    const std::string first(m_code.slice(m_loop.loop.first));
    const std::string bound = operand(m_code, m_loop.loop.bound);
    m_end = m_begin + " + " + m_block;
    const std::string whole_tile = list(m_loop.children);
    m_end = bound;
    const std::string last_tile = list(m_loop.children);
    if (m_forbidden) return {};
    const std::string loop_head = "for (" + m_type + " ";
    const std::string next_tile = "; " + m_begin + " += " + m_block + ") {\n";
    return "constexpr " + m_type + " " + m_block + " = 64;  // tune: 16, 32, 64, 128, 256, 1024\n" +
           "const " + m_type + " " + m_whole + " = " + end_of_groups(m_code, m_loop.loop, m_block) +
           ";\n" + loop_head + m_begin + " = " + first + "; " + m_begin + " < " + m_whole +
           next_tile + whole_tile + "}\nif (" + bound + " - " + m_whole + " < " + few + ") {\n" +
           loop_head + m_variable + " = " + m_whole + "; " + m_variable + " < " + bound + "; ++" +
           m_variable + ") {\n" + std::string(m_code.slice(body_of(m_loop))) + "\n}\n} else {\n" +
           loop_head + m_begin + " = " + m_whole + "; " + m_begin + " < " + bound + next_tile +
           last_tile + "}\n}";
  }

 private:
  std::string list(const std::vector<SourceStatement>& statements) {
    const std::size_t copied = m_copied.size();
    const Renames arrays = m_arrays;
    std::string result;
    std::string together;  // statements of one loop over the tile
    for (const SourceStatement& statement : statements)
      add(statement, statements, result, together);
    result += over_the_tile(together);
    m_copied.resize(copied);
    m_arrays = arrays;
    return result;
  }

  void add(const SourceStatement& statement, const std::vector<SourceStatement>& siblings,
           std::string& result, std::string& together) {
    switch (statement.kind) {
      case StatementKind::declaration:
        declare(statement, result, together);
        break;
      case StatementKind::pragma:
        break;  // of an inner loop, which is another one now
      case StatementKind::loop: {
        const Range header{statement.range.begin, m_code.partner(statement.range.begin + 1) + 1};
        require_same(header);
        result += over_the_tile(together);
        result += std::string(m_code.slice(header)) + " {\n" + list(statement.children) + "}\n";
        break;
      }
      case StatementKind::conditional:
        condition(statement, siblings, result, together);
        break;
      case StatementKind::block:
        result += over_the_tile(together);
        result += "{\n" + list(statement.children) + "}\n";
        break;
      case StatementKind::expression:
        gather_sum(statement, siblings);
        together += renamed(statement.range) + "\n";
        m_used.push_back(statement.range);
        break;
      default:
        m_forbidden = true;
    }
  }

  // Whether a statement writes a variable of outside, which the facts then show to be a sum.
  [[nodiscard]] bool is_sum(const SourceStatement& statement) const {
    const auto assignment = assignment_of(m_code, statement.range);
    return assignment && assignment->indices.empty() &&
           !m_movement.locals().contains(assignment->target);
  }

  // A sum is a reduction of a loop over the tile.
  void gather_sum(const SourceStatement& statement, const std::vector<SourceStatement>& siblings) {
    if (!is_sum(statement)) return;
    if (&siblings != &m_loop.children) m_forbidden = true;
    m_sums.insert(std::string(m_code.text(assignment_of(m_code, statement.range)->place.begin)));
  }

  void declare(const SourceStatement& statement, std::string& result, std::string& together) {
    const Declaration& declaration = statement.declaration;
    const Range value = declaration.initialiser;
    if (!declaration.extents.empty()) m_forbidden = true;
    const bool written = m_movement.is_written(declaration.name) || value.empty();
    const bool pointer = m_code.find(declaration.type, "*") < declaration.type.end;
    if (!written && !uses_arrays(value) && !reads_written(value)) {
      if (m_movement.depends(value)) {
        m_copied.push_back(&statement);
      } else {
        result += std::string(m_code.slice(statement.range)) + "\n";
      }
      return;
    }
    const std::string type = plain_type(m_code, declaration.type);
    if (pointer || type == "auto") m_forbidden = true;
    const std::string array = m_names.make(declaration.name + "_tile");
    result += type + " " + array + "[" + m_block + "];\n";
    const std::string element = array + "[" + m_variable + " - " + m_begin + "]";
    if (value.empty() && m_code.text(statement.range.end - 2) == "}") {
      together += element + " = {};\n";
    } else if (!value.empty()) {
      together += element + " = " + renamed(value) + ";\n";
      m_used.push_back(value);
    }
    m_arrays[declaration.name] = element;
  }

  void condition(const SourceStatement& statement, const std::vector<SourceStatement>& siblings,
                 std::string& result, std::string& together) {
    const bool same = !m_movement.depends(statement.condition) && !uses_arrays(statement.condition);
    const auto inner = all_in(statement);
    const auto has = [&](StatementKind kind) {
      return std::any_of(inner.begin(), inner.end(),
                         [kind](const SourceStatement* s) { return s->kind == kind; });
    };
    if (has(StatementKind::other)) m_forbidden = true;
    for (const SourceStatement* s : inner) {
      if (s->kind == StatementKind::expression && is_sum(*s)) m_forbidden = true;
    }
    if (has(StatementKind::loop)) {
      if (!same || has(StatementKind::jump)) m_forbidden = true;
      result += over_the_tile(together);
      result += "if (" + std::string(m_code.slice(statement.condition)) + ") {\n" +
                list(statement.children) + "}";
      if (!statement.otherwise.empty()) result += " else {\n" + list(statement.otherwise) + "}";
      result += "\n";
    } else if (guards_plainly(statement) && add_guarded(statement, result, together)) {
      return;
    } else if (has(StatementKind::jump) && same && &siblings != &m_loop.children) {
      // The `continue` leaves an iteration of a loop that is now around the tile.
      result += over_the_tile(together);
      result += std::string(m_code.slice(statement.range)) + "\n";
    } else {
      // Statements after a `continue` must be in the same loop over the tile.
      if (has(StatementKind::jump) && loops_after(statement, siblings)) m_forbidden = true;
      together += renamed(statement.range) + "\n";
      m_used.push_back(statement.range);
    }
  }

  // Whether a condition guards neither jumps nor declarations, and has no other branch.
  [[nodiscard]] bool guards_plainly(const SourceStatement& statement) const {
    const auto inner = all_of(statement.children);
    return statement.otherwise.empty() &&
           std::all_of(inner.begin(), inner.end(), [](const SourceStatement* s) {
             return s->kind != StatementKind::jump && s->kind != StatementKind::declaration;
           });
  }

  // Asks once for the terms of a guard that are the same for all of the tile. Goes through those
  // iterations alone for which the others hold, where it can tell them.
  bool add_guarded(const SourceStatement& statement, std::string& result, std::string& together) {
    const Range outer = same_for_the_tile(statement.condition);
    const Range inner{outer.empty() ? statement.condition.begin : outer.end + 1,
                      statement.condition.end};
    const auto iterations = uses_arrays(inner)
                                ? std::nullopt
                                : guarded_iterations(m_code, m_loop, m_movement, m_copied, inner);
    if (outer.empty() && !iterations) return false;
    result += over_the_tile(together);
    std::string guarded;
    std::string text;
    if (iterations && !statement.children.empty()) {
      const Range statements{statement.children.front().range.begin,
                             statement.children.back().range.end};
      guarded = renamed(statements) + "\n";
      m_used.push_back(statements);
      const std::string first = declare_bound("first", m_begin, "<", iterations->first, text);
      const std::string end = declare_bound("end", m_end, ">", iterations->end, text);
      text += over_the_tile(guarded, first, end);
    } else {
      guarded = "if (" + renamed(inner) + ") " + renamed(branch_of(statement)) + "\n";
      m_used.push_back(has_same_term(m_code, m_movement, inner) ? statement.range : inner);
      m_used.push_back(branch_of(statement));
      text = over_the_tile(guarded);
    }
    if (!outer.empty()) {
      text = "if (" + std::string(m_code.slice(outer)) + ") {\n" + text + "}\n";
    }
    result += text;
    return true;
  }

  // Adds declarations of the greatest or the smallest of several values, and tells its name.
  std::string declare_bound(const std::string& name, std::string value, const std::string& worse,
                            const std::vector<std::string>& others, std::string& declarations) {
    for (const std::string& other : others) {
      const std::string next = m_names.make(m_variable + "_" + name);
      declarations += "const " + m_type + " " + next + " = " + value + " " + worse + " " + other +
                      " ? " + other + " : " + value + ";\n";
      value = next;
    }
    return value;
  }

  // The first terms of a condition `a && b && c` that are the same for all iterations of the tile,
  // where others follow. They are asked once then, and before the others as ever.
  [[nodiscard]] Range same_for_the_tile(Range condition) const {
    if (m_code.find(condition, "||") < condition.end) return {};
    if (m_code.find(condition, "?") < condition.end) return {};
    Range result{condition.begin, condition.begin};
    for (std::size_t end = condition.begin; end < condition.end;) {
      end = m_code.find({end + 1, condition.end}, "&&");
      const Range terms{condition.begin, end};
      if (end == condition.end || m_movement.depends(terms) || uses_arrays(terms)) break;
      result = terms;
    }
    return result;
  }

  // The branch that a condition without `else` guards, with its braces.
  [[nodiscard]] static Range branch_of(const SourceStatement& statement) {
    return {statement.condition.end + 1, statement.range.end};
  }

  static bool loops_after(const SourceStatement& statement,
                          const std::vector<SourceStatement>& siblings) {
    return std::any_of(siblings.begin(), siblings.end(), [&](const SourceStatement& sibling) {
      return sibling.range.begin > statement.range.begin && holds_loop(sibling);
    });
  }

  // A header of a loop has to be the same for all iterations.
  void require_same(Range header) {
    if (m_movement.depends(header) || uses_arrays(header)) m_forbidden = true;
  }

  [[nodiscard]] bool uses_arrays(Range range) const {
    return std::any_of(m_arrays.begin(), m_arrays.end(),
                       [&](const auto& array) { return m_code.uses(range, array.first); });
  }

  // Whether a value comes from memory that the loop writes, so that it has to be taken once.
  [[nodiscard]] bool reads_written(Range range) const {
    const auto elements = elements_of(m_code, range);
    return std::any_of(elements.begin(), elements.end(), [this](const Element& element) {
      return m_written_roots.contains(m_movement.root(element.name));
    });
  }

  [[nodiscard]] std::string renamed(Range range) const { return m_code.renamed(range, m_arrays); }

  std::string over_the_tile(std::string& together) {
    return over_the_tile(together, m_begin, m_end);
  }

  // The text of the loop over the tile, with the statements that have been gathered and what they
  // need.
  std::string over_the_tile(std::string& together, const std::string& first,
                            const std::string& end) {
    if (together.empty()) return {};
    std::vector<Range> used = std::exchange(m_used, {});
    const auto may_load = [this](Range element) {
      return !uses_arrays(element) && !reads_written(element);
    };
    const std::string constants =
        load_once(m_context, m_movement, used, may_load, m_names, together);
    std::string copies;
    for (auto copied = m_copied.rbegin(); copied != m_copied.rend(); ++copied) {
      const SourceStatement& statement = **copied;
      const bool needed = std::any_of(used.begin(), used.end(), [&](Range range) {
        return m_code.uses(range, statement.declaration.name);
      });
      if (!needed) continue;
      copies = renamed(statement.range) + "\n" + copies;
      used.push_back(statement.range);
    }
    std::string clauses;
    for (const std::string& name : m_sums) clauses += " reduction(+ : " + name + ")";
    m_sums.clear();
    return constants + "#pragma omp simd" + clauses + "\nfor (" + m_type + " " + m_variable +
           " = " + first + "; " + m_variable + " < " + end + "; ++" + m_variable + ") {\n" +
           copies + std::exchange(together, {}) + "}\n";
  }

  const RuleContext& m_context;
  const Code& m_code;
  const SourceStatement& m_loop;
  MovementAnalysis m_movement;
  std::string m_variable;
  std::string m_type;
  std::string m_begin;
  std::string m_whole;
  std::string m_block;
  FreshNames& m_names;
  std::string m_end;
  std::set<std::string> m_written_roots;
  std::vector<const SourceStatement*>
      m_copied;                  // declarations that are repeated where they are needed
  Renames m_arrays;              // variables that have become arrays, and their elements
  std::set<std::string> m_sums;  // those of the gathered statements
  std::vector<Range> m_used;     // what the gathered statements are made of
  bool m_forbidden = false;
};

}  // namespace

std::string tiled_inside(const RuleContext& context, const SourceStatement& loop,
                         FreshNames& names) {
  return LoopTile(context, loop, names).run();
}

}  // namespace robust_kbench
