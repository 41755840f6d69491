#include <string>
#include <string_view>

#include "mutation.hpp"
#include "places.hpp"

namespace robust_kbench::mutants {
namespace {

// Leaves out a term, with the sign before it, whose name contains `part`.
std::vector<Edit> without_named_term(const Code& code, std::string_view sign,
                                     std::string_view part) {
  const Places places(code);
  std::vector<Edit> edits;
  for (const std::size_t i : places.of(sign)) {
    if (!code.is_name(i + 1) || code.text(i + 1).find(part) == std::string_view::npos) continue;
    if (code.text(i + 2) == "(" || code.text(i + 2) == "[") continue;
    edits.push_back(replacement(code, {i, i + 2}, ""));
  }
  return edits;
}

std::vector<Edit> without_eps(const Code& code) {
  return without_named_term(code, "+", "eps");
}

std::vector<Edit> without_maximum(const Code& code) {
  return without_named_term(code, "-", "max");
}

// The last of equal values is taken for the first, or the first for the last.
std::vector<Edit> wrong_tie(const Code& code) {
  const Places places(code);
  std::vector<Edit> edits;
  for (const auto& [from, to] :
       {std::pair{">", ">="}, std::pair{"<", "<="}, std::pair{">=", ">"}, std::pair{"<=", "<"}}) {
    for (const std::size_t i : places.of(from)) {
      if (i == 0 || places.is_in_index(i) || places.is_in_loop_head(i)) continue;
      const bool compares_value = code.text(i - 1) == "]" || code.text(i - 1) == ")" ||
                                  (code.is_name(i - 1) && code.text(i - 2) != "<" &&
                                   code.token(i + 1).kind == TokenKind::number);
      if (compares_value) edits.push_back(replacement(code, {i, i + 1}, to));
    }
  }
  return edits;
}

// The two indices of an element of a matrix are exchanged.
std::vector<Edit> wrong_axis(const Code& code) {
  const Places places(code);
  std::vector<Edit> edits;
  for (const std::size_t i : places.of("*")) {
    if (i == 0 || !places.is_in_index(i) || code.text(i + 2) != "+") continue;
    if (!code.is_name(i - 1) || !code.is_name(i + 1) || !code.is_name(i + 3)) continue;
    const std::string row(code.text(i - 1));
    const std::string stride(code.text(i + 1));
    const std::string column(code.text(i + 3));
    edits.push_back(replacement(code, {i - 1, i + 4}, column + " * " + stride + " + " + row));
  }
  return edits;
}

// A row is taken to be one element shorter than it is.
std::vector<Edit> wrong_stride(const Code& code) {
  const Places places(code);
  std::vector<Edit> edits;
  for (const std::size_t i : places.of("*")) {
    if (i == 0 || !places.is_in_index(i) || !code.is_name(i - 1) || !code.is_name(i + 1)) continue;
    if (code.text(i + 2) != "+" && code.text(i + 2) != "]") continue;
    edits.push_back(
        replacement(code, {i + 1, i + 2}, "(" + std::string(code.text(i + 1)) + " - 1)"));
  }
  return edits;
}

}  // namespace

std::vector<Rule> formula_rules() {
  const Intent intent = Intent::numerics;
  return {{"without_eps", intent, without_eps},
          {"without_maximum", intent, without_maximum},
          {"wrong_tie", intent, wrong_tie},
          {"wrong_axis", intent, wrong_axis},
          {"wrong_stride", intent, wrong_stride}};
}

}  // namespace robust_kbench::mutants
