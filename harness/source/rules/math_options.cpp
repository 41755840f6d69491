#include <array>
#include <string>

#include "source/rules/rules.hpp"

namespace robust_kbench {
namespace {

// The first keeps NaN and infinity. The others are for the tuner beside the two.
constexpr std::array<std::string_view, 2> choices{
    "-fno-math-errno -fno-trapping-math -fno-signed-zeros -fassociative-math -freciprocal-math",
    "-ffast-math"};
constexpr std::string_view further = "-mprefer-vector-width=512, -ffast-math -funroll-loops, none";

}  // namespace

std::vector<RuleResult> math_options(const RuleContext& context) {
  const Code& code = context.code;
  if (code.size() == 0 || code.source().find("// options:") != std::string_view::npos) return {};
  std::vector<RuleResult> result;
  for (const std::string_view choice : choices) {
    std::string line = "// options: " + std::string(choice) + "  // tune:";
    for (const std::string_view other : choices) line += " " + std::string(other) + ",";
    line += " " + std::string(further) + "\n";
    Change change{"compiled with " + std::string(choice), {0, 1}, {{0, 0, line}}};
    result.push_back({"math_options", {std::move(change)}});
  }
  return result;
}

}  // namespace robust_kbench
