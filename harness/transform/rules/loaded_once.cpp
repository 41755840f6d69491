#include "transform/rules/loaded_once.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace robust_kbench {
namespace {

bool is_member(const Code& code, const Element& element) {
  const std::string_view before = code.text(element.range.begin - 1);
  return before == "." || before == "->";
}

// Whether what a statement reads may depend on a condition that is the same in all iterations.
bool may_guard(const Code& code, const MovementAnalysis& movement, Range statement) {
  for (std::size_t i = statement.begin; i < statement.end; ++i) {
    const std::string_view text = code.text(i);
    if (text == "?" || text == "&&" || text == "||" || text == "continue") return true;
    if (text != "if") continue;
    const std::size_t close = code.text(i + 1) == "(" ? code.partner(i + 1) : code.size();
    if (close >= statement.end || has_same_term(code, movement, {i + 2, close})) return true;
    i = close;
  }
  return false;
}

// Whether the braces of a condition declare what an index is made of.
bool is_made_in(const RuleContext& context, Range statement, const Element& element) {
  for (const Function& function : context.functions) {
    if (!function.body.holds(statement)) continue;
    for (const SourceStatement* inner : all_of(function.statements)) {
      if (inner->kind == StatementKind::declaration && statement.holds(inner->range) &&
          context.code.uses(element.range, inner->declaration.name)) {
        return true;
      }
    }
  }
  return false;
}

std::string with_elements_replaced(const std::string& text, std::string_view element,
                                   const std::string& name) {
  const Code code(text);
  std::vector<Edit> edits;
  for (const Element& found : elements_of(code, {0, code.size()})) {
    if (code.slice(found.range) != element || is_member(code, found)) continue;
    edits.push_back(replacement(code, found.range, name));
  }
  return edited(text, std::move(edits));
}

}  // namespace

bool has_same_term(const Code& code, const MovementAnalysis& movement, Range condition) {
  for (std::size_t begin = condition.begin; begin < condition.end;) {
    std::size_t end = begin;
    while (end < condition.end && code.text(end) != "&&" && code.text(end) != "||") ++end;
    if (!movement.depends(Range{begin, end})) return true;
    begin = end + 1;
  }
  return false;
}

std::string load_once(const RuleContext& context, const MovementAnalysis& movement,
                      const std::vector<Range>& statements,
                      const std::function<bool(Range)>& may_load, FreshNames& names,
                      std::string& text) {
  const Code& code = context.code;
  std::string result;
  for (const Range statement : statements) {
    if (may_guard(code, movement, statement)) continue;
    for (const Element& element : elements_of(code, statement)) {
      const bool nested = elements_of(code, element.range).size() > 1;
      if (nested || is_member(code, element) || movement.depends(element.range)) continue;
      if (!may_load(element.range) || is_made_in(context, statement, element)) continue;
      const std::string name = names.make(element.name + "_value");
      const std::string_view value = code.slice(element.range);
      std::string replaced = with_elements_replaced(text, value, name);
      if (replaced == text) continue;
      result += "const auto " + name + " = " + std::string(value) + ";\n";
      text = std::move(replaced);
    }
  }
  return result;
}

}  // namespace robust_kbench
