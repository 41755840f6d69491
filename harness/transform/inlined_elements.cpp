#include "transform/inlined_elements.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "transform/assignment.hpp"
#include "transform/element_function.hpp"
#include "transform/name_changes.hpp"

namespace robust_kbench {
namespace {

constexpr int deepest_arguments = 4;  // calls in the arguments of calls

class Inlining {
 public:
  explicit Inlining(std::string_view source)
      : m_code(source), m_functions(parse_functions(m_code)) {}

  std::string run() {
    for (const ElementFunction& function : element_functions(m_code, m_functions)) {
      inline_calls(function);
    }
    return edited(m_code.source(), m_edits);
  }

 private:
  void inline_calls(const ElementFunction& function) {
    for (std::size_t i = function.visible.begin; i < function.visible.end; ++i) {
      if (m_code.text(i) != function.name || m_code.text(i + 1) != "(") continue;
      if (function.definition.holds({i, i + 1}) || !m_code.uses({i, i + 1}, function.name))
        continue;
      const std::size_t close = m_code.partner(i + 1);
      if (!means_the_same(function, i)) continue;
      const auto text = inlined(function, {i + 2, close});
      if (!text) continue;
      const Edit edit = replacement(m_code, {i, close + 1}, *text);
      const bool inner = std::any_of(m_edits.begin(), m_edits.end(), [&](const Edit& other) {
        return other.offset < edit.offset + edit.length &&
               edit.offset < other.offset + other.length;
      });
      if (!inner) m_edits.push_back(edit);
    }
  }

  // Whether nothing between a function and its call gives another meaning to its name or to one of
  // the element's names.
  [[nodiscard]] bool means_the_same(const ElementFunction& function, std::size_t call) const {
    std::set<std::string> names = m_code.names(function.element);
    for (const std::string& parameter : function.parameters) names.erase(parameter);
    const bool has_names = !names.empty();
    names.insert(function.name);
    for (const Function& around : m_functions) {
      if (!around.body.holds({call, call + 1})) continue;
      const bool inside = around.body.holds(function.definition);
      if (!inside && has_names && copies(around)) return false;
      for (const std::string& name : names) {
        if (!inside && is_parameter(around, name)) return false;
        if (may_declare_between(around, inside ? function.definition.end : 0, call, name)) {
          return false;
        }
      }
    }
    return true;
  }

  [[nodiscard]] bool is_parameter(const Function& function, const std::string& name) const {
    const auto parameters = m_code.parts(function.parameters);
    return std::any_of(parameters.begin(), parameters.end(), [&](Range parameter) {
      parameter.end = m_code.find(parameter, "=");
      const std::size_t last = parameter.end - 1;
      return m_code.is_name(last) ? m_code.text(last) == name : m_code.uses(parameter, name);
    });
  }

  // Whether a lambda has copies of what it uses, which may be older than the element's names.
  [[nodiscard]] bool copies(const Function& function) const {
    const Range captures = captures_of(m_code, function);
    return function.name.empty() && !m_code.spells(captures.begin, {"&", "]"});
  }

  [[nodiscard]] bool may_declare_between(const Function& function, std::size_t begin,
                                         std::size_t end, const std::string& name) const {
    const auto statements = all_of(function.statements);
    return std::any_of(statements.begin(), statements.end(), [&](const SourceStatement* s) {
      const bool unknown = s->kind == StatementKind::other && s->range.end > begin;
      return (s->range.begin >= begin || unknown) && s->range.begin < end &&
             may_declare(m_code, *s, name);
    });
  }

  [[nodiscard]] std::optional<std::string> inlined(const ElementFunction& function,
                                                   Range arguments) const {
    if (arguments.end >= m_code.size() || writes(m_code, arguments)) return {};
    const std::vector<Range> values = m_code.parts(arguments);
    if (values.size() != function.parameters.size()) return {};
    Renames renames;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string text(m_code.slice(values[i]));
      renames[function.parameters[i]] = values[i].size() == 1 ? text : "(" + text + ")";
    }
    // The element's own pointer may be a parameter.
    const auto base = renames.find(std::string(m_code.text(function.element.begin)));
    if (base != renames.end() && base->second.front() == '(') return {};
    return m_code.renamed(function.element, renames);
  }

  const Code m_code;
  const std::vector<Function> m_functions;
  std::vector<Edit> m_edits;
};

}  // namespace

std::string with_inlined_elements(std::string_view source) {
  std::string result(source);
  for (int depth = 0; depth < deepest_arguments; ++depth) {
    std::string next = Inlining(result).run();
    if (next == result) break;
    result = std::move(next);
  }
  return result;
}

}  // namespace robust_kbench
