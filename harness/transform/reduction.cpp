#include "transform/reduction.hpp"

#include <string_view>

namespace robust_kbench {
namespace {

using Found = std::optional<Reduction>;

bool same_text(const Code& code, Range a, Range b) {
  if (a.size() != b.size()) return false;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (code.text(a.begin + k) != code.text(b.begin + k)) return false;
  }
  return true;
}

// `a < b` chooses `chosen`: the smaller one is a minimum, the greater one a maximum.
Found extreme(const Code& code, Range comparison, Range chosen, const std::string& variable) {
  for (const std::string_view sign : {"<", "<=", ">", ">="}) {
    const std::size_t at = code.find(comparison, sign);
    if (at >= comparison.end) continue;
    const Range left{comparison.begin, at};
    const Range right{at + 1, comparison.end};
    const bool own_left = left.size() == 1 && code.text(left.begin) == variable;
    const bool own_right = right.size() == 1 && code.text(right.begin) == variable;
    if (own_left == own_right || code.uses(own_left ? right : left, variable)) return {};
    const bool takes_left = same_text(code, chosen, left);
    if (takes_left == same_text(code, chosen, right)) return {};
    const bool smaller = sign.front() == '<';
    return Reduction{variable, takes_left == smaller ? "min" : "max"};
  }
  return {};
}

// `max(a, b)` or `fminf(a, b)` and the like, with or without `std::`.
Found extreme_call(const Code& code, Range value, const std::string& variable) {
  std::size_t at = value.begin;
  if (code.spells(at, {"std", "::"})) at += 2;
  const std::string_view name = code.text(at);
  std::string operation;
  for (const char* extreme_name : {"max", "min"}) {
    const std::string base = extreme_name;
    if (name == base || name == "f" + base || name == "f" + base + "f") operation = base;
  }
  std::size_t open = at + 1;
  if (code.text(open) == "<") open += 3;
  if (operation.empty() || code.text(open) != "(" || code.partner(open) + 1 != value.end) return {};
  const Range arguments{open + 1, value.end - 1};
  const std::size_t comma = code.find(arguments, ",");
  if (comma >= arguments.end) return {};
  const Range first{arguments.begin, comma};
  const Range second{comma + 1, arguments.end};
  for (const auto& [own, other] : {std::pair{first, second}, std::pair{second, first}}) {
    const bool is_own = own.size() == 1 && code.text(own.begin) == variable;
    if (is_own && !code.uses(other, variable)) return Reduction{variable, operation};
  }
  return {};
}

}  // namespace

Found reduction_of(const Code& code, const Assignment& assignment) {
  if (!assignment.indices.empty()) return {};
  const std::string& variable = assignment.target;
  const Range value = assignment.value;
  const bool uses_itself = code.uses(value, variable);
  if (assignment.operation != "=") {
    if (uses_itself) return {};
    if (assignment.operation == "+=" || assignment.operation == "-=") {
      return Reduction{variable, "+"};
    }
    return assignment.operation == "*=" ? Found(Reduction{variable, "*"}) : Found();
  }
  if (!uses_itself) return {};
  if (auto found = extreme_call(code, value, variable)) return found;
  const std::size_t question = code.find(value, "?");
  const std::size_t colon = code.find(value, ":");
  if (question < value.end && colon < value.end) {
    Range condition{value.begin, question};
    if (code.text(condition.begin) == "(" && code.partner(condition.begin) + 1 == question) {
      condition = {condition.begin + 1, condition.end - 1};
    }
    const Range chosen{question + 1, colon};
    const Range rest{colon + 1, value.end};
    const bool other_is_own = rest.size() == 1 && code.text(rest.begin) == variable;
    const bool chosen_is_own = chosen.size() == 1 && code.text(chosen.begin) == variable;
    if (other_is_own == chosen_is_own) return {};
    const auto found = extreme(code, condition, chosen, variable);
    // Both branches have to be sides of the comparison.
    return found && extreme(code, condition, rest, variable) ? found : Found();
  }
  if (!code.spells(value.begin, {variable, "+"})) return {};
  const Range rest{value.begin + 2, value.end};
  const bool plain = code.find(rest, "<") == rest.end && code.find(rest, ">") == rest.end &&
                     code.find(rest, "&&") == rest.end && code.find(rest, "||") == rest.end;
  return plain && !code.uses(rest, variable) ? Found(Reduction{variable, "+"}) : Found();
}

Found reduction_of_condition(const Code& code, const SourceStatement& conditional) {
  if (conditional.children.size() != 1 || !conditional.otherwise.empty()) return {};
  if (conditional.children.front().kind != StatementKind::expression) return {};
  const auto assignment = assignment_of(code, conditional.children.front().range);
  if (!assignment || !assignment->indices.empty() || assignment->operation != "=") return {};
  return extreme(code, conditional.condition, assignment->value, assignment->target);
}

}  // namespace robust_kbench
