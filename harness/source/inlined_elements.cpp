#include "source/inlined_elements.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "source/assignment.hpp"
#include "source/statement.hpp"

namespace robust_kbench {
namespace {

constexpr int deepest = 4;  // calls in the arguments of calls

// A function or lambda that returns an element and does nothing else.
struct ElementFunction {
  std::string name;
  std::vector<std::string> parameters;
  Range element;
  Range visible;     // where calls mean this function
  Range definition;  // which is no call
};

class Inlining {
 public:
  explicit Inlining(std::string_view source)
      : m_code(source), m_functions(parse_functions(m_code)) {}

  std::string run() {
    for (const Function& function : m_functions) {
      const auto found = element_function(function);
      if (found) inline_calls(*found);
    }
    return edited(m_code.source(), m_edits);
  }

 private:
  [[nodiscard]] std::optional<ElementFunction> element_function(const Function& function) const {
    if (function.statements.size() != 1) return {};
    const Range statement = function.statements.front().range;
    if (m_code.text(statement.begin) != "return") return {};
    const Range value{statement.begin + 1, statement.end - 1};
    const auto elements = elements_of(m_code, value);
    if (elements.empty() || elements.front().range.begin != value.begin ||
        elements.front().range.end != value.end || writes(m_code, value)) {
      return {};
    }
    ElementFunction result{
        function.name, {}, value, {0, m_code.size()}, {function.head.begin, function.body.end}};
    if (function.name.empty() && !name_lambda(function, result)) return {};
    // Another function of the name may be meant.
    const auto same = std::count_if(m_functions.begin(), m_functions.end(),
                                    [&](const Function& f) { return f.name == result.name; });
    if (same > (function.name.empty() ? 0 : 1)) return {};
    return add_parameters(function.parameters, result) ? std::optional(result) : std::nullopt;
  }

  // `const auto name = [&](...) { ... };` is visible in the rest of the function around it.
  [[nodiscard]] bool name_lambda(const Function& function, ElementFunction& result) const {
    for (std::size_t i = function.head.begin; i + 2 < function.head.end; ++i) {
      if (m_code.text(i + 1) != "=" || m_code.text(i + 2) != "[") continue;
      result.name = m_code.text(i);
    }
    if (result.name.empty()) return false;
    for (const Function& around : m_functions) {
      if (around.body.holds(function.body) && around.body.size() > function.body.size()) {
        result.visible = around.body;
      }
    }
    return true;
  }

  // The last name of each parameter, which has neither `&` nor a default.
  bool add_parameters(Range range, ElementFunction& result) const {
    for (const Range parameter : m_code.parts(range)) {
      const std::size_t name = parameter.end - 1;
      if (!m_code.is_name(name) || parameter.size() < 2) return false;
      result.parameters.emplace_back(m_code.text(name));
    }
    return true;
  }

  void inline_calls(const ElementFunction& function) {
    for (std::size_t i = function.visible.begin; i < function.visible.end; ++i) {
      if (m_code.text(i) != function.name || m_code.text(i + 1) != "(") continue;
      if (function.definition.holds({i, i + 1}) || !m_code.uses({i, i + 1}, function.name))
        continue;
      const std::size_t close = m_code.partner(i + 1);
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
  for (int depth = 0; depth < deepest; ++depth) {
    std::string next = Inlining(result).run();
    if (next == result) break;
    result = std::move(next);
  }
  return result;
}

}  // namespace robust_kbench
