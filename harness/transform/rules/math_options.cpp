#include <array>
#include <set>
#include <string>

#include "transform/rules/rules.hpp"
#include "transform/vector_math.hpp"

namespace robust_kbench {
namespace {

// The first choice keeps NaN and infinity. The tuner may take the others beside the two.
constexpr std::array<std::string_view, 2> choices{
    "-fno-math-errno -fno-trapping-math -fno-signed-zeros -fassociative-math -freciprocal-math",
    "-ffast-math"};
constexpr std::string_view further = "-mprefer-vector-width=512, -ffast-math -funroll-loops, none";

}  // namespace

std::vector<RuleResult> math_options(const RuleContext& context) {
  const Code& code = context.code;
  if (code.size() == 0 || code.source().find("// options:") != std::string_view::npos) return {};
  // With these options the compiler makes vectors of loops by itself, and of functions of <cmath>
  // where they are declared for vectors.
  std::set<std::string> functions;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const std::string name(code.text(i));
    if (code.text(i + 1) == "(" && has_vector_version(name)) functions.insert(name);
  }
  const std::vector<Edit> declarations = declare_vector_math(code, functions);
  std::vector<RuleResult> result;
  for (const std::string_view choice : choices) {
    std::string line = "// options: " + std::string(choice) + "  // tune:";
    for (const std::string_view other : choices) line += " " + std::string(other) + ",";
    line += " " + std::string(further) + "\n";
    Change change{"compiled with " + std::string(choice), {0, 1}, declarations};
    change.edits.push_back({0, 0, line});
    result.push_back({"math_options", {std::move(change)}});
  }
  return result;
}

}  // namespace robust_kbench
