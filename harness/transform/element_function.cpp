#include "transform/element_function.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "transform/assignment.hpp"
#include "transform/name_changes.hpp"

namespace robust_kbench {
namespace {

class ElementFunctionSearch {
 public:
  ElementFunctionSearch(const Code& code, const std::vector<Function>& functions)
      : m_code(code), m_functions(functions) {}

  [[nodiscard]] std::optional<ElementFunction> look(const Function& function) const {
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
    if (!add_parameters(function.parameters, result)) return {};
    if (!captures_alike(function, result) || !returns_unchanged(function, elements.front())) {
      return {};
    }
    return result;
  }

 private:
  // `const auto name = [&](...) { ... };` is visible in the rest of the block around it.
  [[nodiscard]] bool name_lambda(const Function& function, ElementFunction& result) const {
    for (std::size_t i = function.head.begin; i + 2 < function.head.end; ++i) {
      if (m_code.text(i + 1) != "=" || m_code.text(i + 2) != "[") continue;
      result.name = m_code.text(i);
    }
    if (result.name.empty()) return false;
    std::size_t open = function.head.begin;
    while (open > 0 && m_code.text(open) != "{") {
      --open;
      if (m_code.text(open) == "}" && m_code.partner(open) < open) open = m_code.partner(open) - 1;
    }
    if (m_code.text(open) != "{" || m_code.partner(open) < function.body.end) return false;
    result.visible = {function.body.end, m_code.partner(open)};
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

  // Whether what a lambda captures is the same at its calls.
  [[nodiscard]] bool captures_alike(const Function& function, const ElementFunction& made) const {
    for (const Range capture : m_code.parts(captures_of(m_code, function))) {
      const std::string_view first = m_code.text(capture.begin);
      const bool refers = first == "&" && (capture.size() == 1 || capture.size() == 2);
      if (refers || (capture.size() == 1 && first == "this")) continue;
      if (capture.size() != 1) return false;
      for (const std::string& name : m_code.names(made.element)) {
        const bool copied = first == "=" || first == name;
        if (copied && may_write(m_code, made.visible, name)) return false;
      }
    }
    return true;
  }

  // Whether the return type is `auto`, or that of the element.
  [[nodiscard]] bool returns_unchanged(const Function& function, const Element& element) const {
    Range type{function.head.begin, function.parameters.begin - 2};
    const std::size_t arrow = m_code.find({function.head.end, function.body.begin}, "->");
    if (arrow < function.body.begin) {
      type = {arrow + 1, function.body.begin};
    } else if (function.name.empty()) {
      return true;
    }
    if (m_code.uses(type, "auto")) return true;
    if (!type.empty() && m_code.text(type.end - 1) == "&") --type.end;
    const std::string name = type_name(type);
    return !name.empty() && element.indices.size() == 1 && name == pointed_type(function, element);
  }

  // The text of a type without the words that say nothing of its values.
  [[nodiscard]] std::string type_name(Range type) const {
    std::string result;
    for (std::size_t i = type.begin; i < type.end; ++i) {
      const std::string_view text = m_code.text(i);
      if (is_one_of(text, {"const", "constexpr", "static", "inline", "__host__", "__device__",
                           "__forceinline__"})) {
        continue;
      }
      if (text == "template") {
        while (i < type.end && m_code.text(i) != ">") ++i;
        continue;
      }
      result += std::string(text) + " ";
    }
    return result;
  }

  // The type of what the element's pointer or array holds, or empty where it is not known.
  [[nodiscard]] std::string pointed_type(const Function& function, const Element& element) const {
    for (auto around = m_functions.rbegin(); around != m_functions.rend(); ++around) {
      if (!around->body.holds(function.body)) continue;
      const auto statements = all_of(around->statements);
      for (auto statement = statements.rbegin(); statement != statements.rend(); ++statement) {
        if ((*statement)->range.begin > function.head.begin) continue;
        if (!may_declare(m_code, **statement, element.name)) continue;
        const Declaration& declared = (*statement)->declaration;
        if (declared.name != element.name) return {};
        return declared.extents.empty() ? pointee(declared.type) : array_type(declared);
      }
      for (const Range parameter : m_code.parts(around->parameters)) {
        if (m_code.text(parameter.end - 1) != element.name) continue;
        return pointee({parameter.begin, parameter.end - 1});
      }
    }
    return {};
  }

  // `const float` of `const float* __restrict__`
  [[nodiscard]] std::string pointee(Range type) const {
    const std::size_t star = m_code.find(type, "*");
    for (std::size_t i = star + 1; i < type.end; ++i) {
      if (!is_one_of(m_code.text(i), {"const", "__restrict__", "__restrict"})) return {};
    }
    return star < type.end ? type_name({type.begin, star}) : std::string();
  }

  [[nodiscard]] std::string array_type(const Declaration& declared) const {
    const bool one = m_code.partner(declared.extents.begin) + 1 == declared.extents.end;
    const bool pointers = m_code.find(declared.type, "*") < declared.type.end;
    return one && !pointers ? type_name(declared.type) : std::string();
  }

  const Code& m_code;
  const std::vector<Function>& m_functions;
};

}  // namespace

std::vector<ElementFunction> element_functions(const Code& code,
                                               const std::vector<Function>& functions) {
  const ElementFunctionSearch search(code, functions);
  std::vector<ElementFunction> result;
  for (const Function& function : functions) {
    if (auto found = search.look(function)) result.push_back(std::move(*found));
  }
  return result;
}

Range captures_of(const Code& code, const Function& function) {
  const std::size_t close = function.parameters.begin - 2;
  if (code.text(close) != "]" || code.partner(close) > close) return {};
  return {code.partner(close) + 1, close};
}

}  // namespace robust_kbench
