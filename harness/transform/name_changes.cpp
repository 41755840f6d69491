#include "transform/name_changes.hpp"

#include <algorithm>

#include "transform/assignment.hpp"

namespace robust_kbench {
namespace {

// Whether a statement begins as one that declares several names, `type a = 0, *b = c;`.
bool begins_with_type(const Code& code, Range statement) {
  const std::string_view second = code.text(statement.begin + 1);
  if (code.text(statement.begin) == "auto" && second == "[") return true;
  return code.is_name(statement.begin) &&
         (code.is_name(statement.begin + 1) || second == "*" || second == "&" || second == "&&" ||
          second == "<" || second == "::");
}

// Arguments stand between round brackets and declare nothing.
bool uses_outside_brackets(const Code& code, Range range, const std::string& name) {
  for (std::size_t i = range.begin; i < range.end; ++i) {
    if (code.text(i) == "(" && code.partner(i) < range.end) i = code.partner(i);
    if (code.uses({i, i + 1}, name)) return true;
  }
  return false;
}

// `f(name, ...)`, `&name` or `type& other = name`
bool is_referred_to(const Code& code, std::size_t i) {
  const std::string_view before = code.text(i - 1);
  const std::string_view after = code.text(i + 1);
  const bool argument = (before == "(" || before == ",") && (after == ")" || after == ",");
  return argument || before == "&" || (before == "=" && code.text(i - 3) == "&");
}

}  // namespace

bool may_declare(const Code& code, const SourceStatement& statement, const std::string& name) {
  switch (statement.kind) {
    case StatementKind::declaration:
      return statement.declaration.name == name;
    case StatementKind::loop:
      return statement.loop.variable == name;
    case StatementKind::conditional:
      return code.uses(statement.condition, name) &&
             (writes(code, statement.condition) ||
              code.find(statement.condition, "{") < statement.condition.end);
    case StatementKind::expression:
      return begins_with_type(code, statement.range) &&
             uses_outside_brackets(code, statement.range, name);
    case StatementKind::other:
      return code.uses(statement.range, name);
    default:
      return false;
  }
}

bool may_declare(const Code& code, const std::vector<SourceStatement>& statements,
                 const std::string& name) {
  const auto all = all_of(statements);
  return std::any_of(all.begin(), all.end(), [&](const SourceStatement* statement) {
    return may_declare(code, *statement, name);
  });
}

bool may_write(const Code& code, Range range, const std::string& name) {
  for (std::size_t i = range.begin; i < range.end; ++i) {
    if (!code.uses({i, i + 1}, name)) continue;
    std::size_t after = i + 1;
    while (code.text(after) == "[" && code.partner(after) < range.end) {
      after = code.partner(after) + 1;
    }
    const std::string_view before = code.text(i - 1);
    const bool steps = before == "++" || before == "--";
    const bool member = code.text(after) == "." || code.text(after) == "->";
    if (steps || member || is_referred_to(code, i)) return true;
    if (after < range.end && writes(code, {after, after + 1})) return true;
  }
  return false;
}

}  // namespace robust_kbench
