#include <algorithm>
#include <set>
#include <string>

#include "transform/movement.hpp"
#include "transform/rules/rules.hpp"

namespace robust_kbench {
namespace {

// The number of tokens from `i` on that spell a name, perhaps with a member. It is 0 where they do
// not, or where they are themselves a member of something.
std::size_t length_at(const Code& code, std::size_t i, const std::string& name) {
  if (!code.is_name(i) || code.text(i - 1) == "." || code.text(i - 1) == "->") return 0;
  std::string text;
  for (std::size_t k = i; k < code.size() && text.size() < name.size(); ++k) {
    text += code.text(k);
    if (text == name) return k + 1 - i;
  }
  return 0;
}

// Whether a variable itself is multiplied by a factor in a range.
bool multiplies(const Code& code, Range range, const std::string& variable,
                const std::string& factor) {
  for (std::size_t i = range.begin; i < range.end; ++i) {
    if (code.text(i) != variable) continue;
    if (code.text(i + 1) == "*" && length_at(code, i + 2, factor) > 0) return true;
    for (std::size_t begin = range.begin; begin + 1 < i; ++begin) {
      const std::size_t length = length_at(code, begin, factor);
      if (length > 0 && begin + length + 1 == i && code.text(i - 1) == "*") return true;
    }
  }
  return false;
}

// The factors by which a loop's variable moves windows that inner loops go through, as the step of
// a convolution does. A row's length is none of them.
std::set<std::string> steps_of(const RuleContext& context, const SourceStatement& loop) {
  const Code& code = context.code;
  const MovementAnalysis movement(code, context.functions, loop);
  std::set<std::string> result;
  const auto look = [&](Range expression) {
    const Motion motion = movement.motion(expression);
    if (motion.movement != Movement::scaled || motion.by_number || !motion.shared) return;
    for (const std::string& factor : motion.factors) {
      if (multiplies(code, expression, loop.loop.variable, factor)) result.insert(factor);
    }
  };
  for (const SourceStatement* statement : all_of(loop.children)) {
    if (statement->kind == StatementKind::declaration) look(statement->declaration.initialiser);
    if (statement->kind != StatementKind::expression) continue;
    for (const Element& element : elements_of(code, statement->range)) {
      for (const Range index : element.indices) look(index);
    }
  }
  return result;
}

// The text of a range in which a factor is 1.
std::string without_factor(const Code& code, Range range, const std::string& factor) {
  std::string result;
  std::size_t written = code.token(range.begin).offset;
  const auto end_of = [&](std::size_t i) {
    return code.token(i).offset + code.token(i).text.size();
  };
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const std::size_t length = length_at(code, i, factor);
    const std::string_view before = code.text(i - 1);
    if (length == 0) continue;
    const bool product = before == "*" && !code.is_name(i + length) &&
                         (code.is_name(i - 2) || code.text(i - 2) == ")");
    const std::size_t from = product ? end_of(i - 2) : code.token(i).offset;
    result += code.source().substr(written, from - written);
    if (!product) result += "1";
    written = end_of(i + length - 1);
    i += length - 1;
  }
  result += code.source().substr(written, end_of(range.end - 1) - written);
  return result;
}

// Whether a nest gives a name its value, or does more with it than to read it.
bool is_changed_in(const Code& code, const SourceStatement& loop, const std::string& name) {
  const std::string first = name.substr(0, name.find_first_of(".-:"));
  for (const SourceStatement* statement : all_in(loop)) {
    if (statement->kind == StatementKind::declaration && statement->declaration.name == first) {
      return true;
    }
  }
  for (std::size_t i = loop.range.begin; i < loop.range.end; ++i) {
    const std::size_t length = length_at(code, i, name);
    if (length == 0) continue;
    const std::string_view after = code.text(i + length);
    const std::string_view before = code.text(i - 1);
    const bool steps = before == "++" || before == "--";
    const bool calls = after == "(" || after == "[" || after == "." || after == "->";
    const bool takes_address = before == "&" && !code.is_name(i - 2);
    if (steps || calls || takes_address || writes(code, {i + length, i + length + 1})) return true;
  }
  return false;
}

}  // namespace

std::vector<RuleResult> unit_step(const RuleContext& context) {
  const Code& code = context.code;
  RuleResult result{"unit_step", {}};
  for (const Function& function : context.functions) {
    for (const SourceStatement& outer : function.statements) {
      if (outer.kind != StatementKind::loop) continue;
      std::set<std::string> steps;
      steps.merge(steps_of(context, outer));
      for (const SourceStatement* loop : loops_of(outer.children)) {
        steps.merge(steps_of(context, *loop));
      }
      for (const std::string& step : steps) {
        if (is_changed_in(code, outer, step)) continue;
        const std::string nest(code.slice(outer.range));
        const std::string text = "if (" + step + " == 1) {\n" +
                                 without_factor(code, outer.range, step) + "\n} else {\n" + nest +
                                 "\n}";
        result.changes.push_back(
            {"a version of the loop over " + outer.loop.variable + " for " + step + " = 1",
             outer.range,
             {statement_replacement(code, outer, text)}});
      }
    }
  }
  return {result};
}

}  // namespace robust_kbench
