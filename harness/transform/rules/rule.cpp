#include "transform/rules/rule.hpp"

namespace robust_kbench {

std::string FreshNames::make(const std::string& name) {
  std::string result = m_code.fresh(name);
  for (int number = 2; !m_made.insert(result).second; ++number) {
    result = m_code.fresh(name + std::to_string(number));
  }
  return result;
}

namespace {

// Whether a loop begins where an unrolled one has ended.
bool is_remainder(const Code& code, const SourceStatement& loop) {
  const Range first = loop.loop.first;
  return first.size() == 1 && code.text(first.begin).find("_whole") != std::string_view::npos;
}

}  // namespace

bool is_in_remainder(const RuleContext& context, const SourceStatement& loop) {
  for (const Function& function : context.functions) {
    for (const SourceStatement* around : loops_of(function.statements)) {
      // A tile of what is left has a step, and as many iterations as other tiles.
      const bool single = around == &loop || around->loop.step.empty();
      if (single && around->range.holds(loop.range) && is_remainder(context.code, *around)) {
        return true;
      }
    }
  }
  return false;
}

bool has_pragma(const Code& code, const SourceStatement& statement, std::string_view words) {
  for (std::size_t i = statement.range.begin; i > 0 && code.is_directive(i - 1); --i) {
    if (code.text(i - 1).find(words) != std::string_view::npos) return true;
  }
  return false;
}

bool stands_in_braces(const Code& code, const SourceStatement& statement) {
  std::size_t i = statement.range.begin;
  while (i > 0 && code.is_directive(i - 1)) --i;
  const std::string_view before = i == 0 ? std::string_view() : code.text(i - 1);
  return before == "{" || before == "}" || before == ";";
}

Edit statement_replacement(const Code& code, const SourceStatement& statement, std::string text) {
  if (!stands_in_braces(code, statement)) text = "{\n" + text + "\n}";
  std::size_t first = statement.range.begin;
  while (code.is_directive(first)) ++first;
  text = indented(text, code.indentation(first));
  // A directive stands at the margin, anything else behind its line's spaces.
  if (first == statement.range.begin) text.erase(0, text.find_first_not_of(' '));
  return replacement(code, statement.range, std::move(text));
}

std::string operand(const Code& code, Range expression) {
  const std::string text(code.slice(expression));
  const bool bracketed =
      code.text(expression.begin) == "(" && code.partner(expression.begin) + 1 == expression.end;
  return expression.size() == 1 || bracketed ? text : "(" + text + ")";
}

std::string iterations_of(const Code& code, const LoopHeader& loop) {
  const std::string first = operand(code, loop.first);
  const std::string bound = operand(code, loop.bound);
  return first == "0" ? bound : "(" + bound + " - " + first + ")";
}

std::string end_of_groups(const Code& code, const LoopHeader& loop, const std::string& count) {
  const std::string first = operand(code, loop.first);
  const std::string bound = operand(code, loop.bound);
  const std::string end = bound + " - " + iterations_of(code, loop) + " % " + count;
  // A number of iterations below zero wraps around where types have no sign.
  return first == "0" ? end : first + " < " + bound + " ? " + end + " : " + first;
}

std::string plain_type(const Code& code, Range type) {
  while (code.text(type.begin) == "const") ++type.begin;
  while (!type.empty() && code.text(type.end - 1) == "const") --type.end;
  return std::string(code.slice(type));
}

}  // namespace robust_kbench
