#include "source/rules/loop_tile.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "source/movement.hpp"

namespace robust_kbench {
namespace {

// Moves a loop to the inside of the loops that it holds. A tile of its iterations goes through them
// together, so that variables of an iteration become arrays with one element for each.
class LoopTile {
 public:
  LoopTile(const RuleContext& context, const SourceStatement& loop, FreshNames& names)
      : m_code(context.code),
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

  // Empty where a statement forbids it.
  std::string run() {
    const std::string first(m_code.slice(m_loop.loop.first));
    const std::string bound(m_code.slice(m_loop.loop.bound));
    m_end = m_begin + " + " + m_block;
    const std::string whole_tile = list(m_loop.children);
    m_end = bound;
    const std::string last_tile = list(m_loop.children);
    if (m_forbidden) return {};
    const std::string count = first == "0" ? "(" + bound + ")" : "(" + bound + " - " + first + ")";
    return "constexpr " + m_type + " " + m_block + " = 64;  // tune: 16, 32, 64, 128, 256, 1024\n" +
           "const " + m_type + " " + m_whole + " = " + bound + " - " + count + " % " + m_block +
           ";\n" + "for (" + m_type + " " + m_begin + " = " + first + "; " + m_begin + " < " +
           m_whole + "; " + m_begin + " += " + m_block + ") {\n" + whole_tile + "}\n" + "for (" +
           m_type + " " + m_begin + " = " + m_whole + "; " + m_begin + " < " + bound + "; " +
           m_begin + " += " + m_block + ") {\n" + last_tile + "}";
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

  // Whether a statement writes a variable of outside. The facts have it that this is a sum.
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
    if (!value.empty()) {
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
    } else if (const Range outer = same_for_the_tile(statement); !outer.empty()) {
      result += over_the_tile(together);
      const Range inner{outer.end + 1, statement.condition.end};
      std::string guarded = "if (" + renamed(inner) + ") " + renamed(branch_of(statement)) + "\n";
      m_used.push_back(statement.range);
      result +=
          "if (" + std::string(m_code.slice(outer)) + ") {\n" + over_the_tile(guarded) + "}\n";
    } else if (has(StatementKind::jump) && same && &siblings != &m_loop.children) {
      // It leaves an iteration of a loop that is now around the tile.
      result += over_the_tile(together);
      result += std::string(m_code.slice(statement.range)) + "\n";
    } else {
      // What follows a `continue` must be in the same loop over the tile.
      if (has(StatementKind::jump) && loops_after(statement, siblings)) m_forbidden = true;
      together += renamed(statement.range) + "\n";
      m_used.push_back(statement.range);
    }
  }

  // The first terms of a condition `a && b && c` that are the same for all iterations of the tile,
  // where others follow. They are asked once then, and before the others as ever.
  [[nodiscard]] Range same_for_the_tile(const SourceStatement& statement) const {
    const Range condition = statement.condition;
    if (!statement.otherwise.empty()) return {};
    if (m_code.find(condition, "||") < condition.end) return {};
    if (m_code.find(condition, "?") < condition.end) return {};
    Range result{condition.begin, condition.begin};
    for (std::size_t end = condition.begin; end < condition.end;) {
      end = m_code.find({end + 1, condition.end}, "&&");
      const Range terms{condition.begin, end};
      if (end == condition.end || m_movement.depends(terms) || uses_arrays(terms)) break;
      result = terms;
    }
    const auto inner = all_of(statement.children);
    const bool plain = std::all_of(inner.begin(), inner.end(), [](const SourceStatement* s) {
      return s->kind != StatementKind::jump && s->kind != StatementKind::declaration;
    });
    return plain ? result : Range();
  }

  // What a condition without `else` guards, with its braces.
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

  // Declarations of elements that are the same for all of the tile, which take their places in the
  // gathered statements. A compiler does not do this under a condition, nor vectorize then.
  std::string taken_out(const std::vector<Range>& used, std::string& together) {
    std::string result;
    for (const Range range : used) {
      if (may_guard(range)) continue;
      for (const Element& element : elements_of(m_code, range)) {
        const std::string_view before = m_code.text(element.range.begin - 1);
        if (element.indices.size() != 1 || before == "." || before == "->") continue;
        if (!elements_of(m_code, element.indices.front()).empty()) continue;
        if (m_movement.depends(element.range) || uses_arrays(element.range)) continue;
        if (reads_written(element.range) || is_made_in(range, element)) continue;
        const std::string name = m_names.make(element.name + "_value");
        const std::string text(m_code.slice(element.range));
        const std::string replaced = with_elements_replaced(together, text, name);
        if (replaced == together) continue;
        result += "const auto " + name + " = " + text + ";\n";
        together = replaced;
      }
    }
    return result;
  }

  // Whether what a statement reads may depend on a condition that is the same for all of the tile.
  [[nodiscard]] bool may_guard(Range range) const {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (m_code.text(i) == "?" || m_code.text(i) == "continue") return true;
      if (m_code.text(i) != "if") continue;
      const std::size_t close = m_code.partner(i + 1);
      for (std::size_t begin = i + 2; begin < close;) {
        std::size_t end = begin;
        while (end < close && m_code.text(end) != "&&" && m_code.text(end) != "||") ++end;
        if (!m_movement.depends(Range{begin, end})) return true;
        begin = end + 1;
      }
    }
    return false;
  }

  // Whether the braces of a condition declare what an index is made of.
  [[nodiscard]] bool is_made_in(Range range, const Element& element) const {
    const auto inside = all_of(m_loop.children);
    return std::any_of(inside.begin(), inside.end(), [&](const SourceStatement* statement) {
      return statement->kind == StatementKind::declaration && range.holds(statement->range) &&
             m_code.uses(element.range, statement->declaration.name);
    });
  }

  static std::string with_elements_replaced(const std::string& text, const std::string& element,
                                            const std::string& name) {
    const Code code(text);
    std::vector<Edit> edits;
    for (const Element& found : elements_of(code, {0, code.size()})) {
      const std::string_view before = code.text(found.range.begin - 1);
      if (code.slice(found.range) != element || before == "." || before == "->") continue;
      edits.push_back(replacement(code, found.range, name));
    }
    return edited(text, std::move(edits));
  }

  // The loop over the tile with statements that have been gathered, and what they need.
  std::string over_the_tile(std::string& together) {
    if (together.empty()) return {};
    std::vector<Range> used = std::exchange(m_used, {});
    const std::string constants = taken_out(used, together);
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
           " = " + m_begin + "; " + m_variable + " < " + m_end + "; ++" + m_variable + ") {\n" +
           copies + std::exchange(together, {}) + "}\n";
  }

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
