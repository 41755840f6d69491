#include <array>
#include <string>

#include "transform/name_changes.hpp"
#include "transform/rules/rules.hpp"

namespace robust_kbench {
namespace {

// An algorithm of <numeric> that adds its terms one after another, and a function that adds them in
// lanes. The standard asks for the order, so a compiler keeps it.
struct Algorithm {
  std::string_view name;
  std::size_t arguments;
  std::string_view head;  // of the function
  std::string_view term;
};

constexpr std::array<Algorithm, 2> algorithms{{
    {"inner_product", 4,
     "template <class First, class Second, class Sum>\n"
     "Sum NAME(First first, First end, Second second, Sum sum) {\n",
     "first[i] * second[i]"},
    {"accumulate", 3,
     "template <class First, class Sum>\n"
     "Sum NAME(First first, First end, Sum sum) {\n",
     "first[i]"},
}};

std::string definition(const Algorithm& algorithm, const std::string& name) {
  std::string head(algorithm.head);
  head.replace(head.find("NAME"), 4, name);
  return head +
         "  const auto count = end - first;\n"
         "#pragma omp simd reduction(+ : sum)\n"
         "  for (auto i = count - count; i < count; ++i) sum += " +
         std::string(algorithm.term) + ";\n  return sum;\n}";
}

bool is_real_literal(const Token& token) {
  const std::string_view text = token.text;
  if (token.kind != TokenKind::number || text.starts_with("0x") || text.starts_with("0X")) {
    return false;
  }
  return text.find_first_of(".eE") != std::string_view::npos;
}

bool is_real_type(const Code& code, Range type) {
  const std::string name = plain_type(code, type);
  return name == "float" || name == "double";
}

// Whether a variable of a function around a place is declared as a real number, wherever it is.
bool is_real_name(const RuleContext& context, std::size_t place) {
  const Code& code = context.code;
  const std::string name(code.text(place));
  bool real = false;
  for (const Function& function : context.functions) {
    if (!function.body.holds({place, place + 1})) continue;
    for (const Range parameter : code.parts(function.parameters)) {
      if (!code.uses(parameter, name)) continue;
      if (code.text(parameter.end - 1) != name) return false;
      if (!is_real_type(code, {parameter.begin, parameter.end - 1})) return false;
      real = true;
    }
    for (const SourceStatement* statement : all_of(function.statements)) {
      if (statement->range.begin > place || !may_declare(code, *statement, name)) continue;
      const Declaration& declared = statement->declaration;
      if (declared.name != name || !is_real_type(code, declared.type)) return false;
      real = true;
    }
  }
  return real;
}

// Whether an initial value is seen to be a real number. The algorithm adds in its type, so that an
// integer is truncated after each term.
bool is_real(const RuleContext& context, Range value) {
  const Code& code = context.code;
  if (code.text(value.begin) == "-" || code.text(value.begin) == "+") ++value.begin;
  if (value.size() == 1 && code.is_name(value.begin)) return is_real_name(context, value.begin);
  if (value.size() == 1) return is_real_literal(code.token(value.begin));
  std::size_t open = value.begin + 1;  // of `float(...)` or `static_cast<float>(...)`
  Range type{value.begin, open};
  if (code.spells(value.begin, {"static_cast", "<"})) {
    type = {value.begin + 2, value.begin + 3};
    open = value.begin + 4;
  }
  return is_real_type(code, type) && code.partner(open) + 1 == value.end;
}

}  // namespace

std::vector<RuleResult> library_sums(const RuleContext& context) {
  const Code& code = context.code;
  RuleResult result{"library_sums", {}};
  for (const Algorithm& algorithm : algorithms) {
    const std::string name = code.fresh(std::string(algorithm.name) + "_in_lanes");
    const Edit function = after_includes(code, definition(algorithm, name));
    for (std::size_t i = 0; i + 3 < code.size(); ++i) {
      if (!code.spells(i, {"std", "::", algorithm.name, "("})) continue;
      const std::size_t close = code.partner(i + 3);
      // The caller chooses the operation where there is one argument more.
      if (close >= code.size()) continue;
      const std::vector<Range> arguments = code.parts({i + 4, close});
      if (arguments.size() != algorithm.arguments || !is_real(context, arguments.back())) continue;
      result.changes.push_back({"std::" + std::string(algorithm.name) + " in lanes",
                                {i, close + 1},
                                {function, replacement(code, {i, i + 3}, name)}});
    }
  }
  return {result};
}

}  // namespace robust_kbench
