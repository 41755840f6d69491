#include <array>
#include <string>

#include "source/rules/rules.hpp"

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
      // With one argument more the caller chooses the operation.
      if (close >= code.size() || code.parts({i + 4, close}).size() != algorithm.arguments) {
        continue;
      }
      result.changes.push_back({"std::" + std::string(algorithm.name) + " in lanes",
                                {i, close + 1},
                                {function, replacement(code, {i, i + 3}, name)}});
    }
  }
  return {result};
}

}  // namespace robust_kbench
