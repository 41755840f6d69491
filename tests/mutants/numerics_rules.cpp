#include <cctype>
#include <string>

#include "mutation.hpp"
#include "places.hpp"

namespace robust_kbench::mutants {
namespace {

// A token of an expression that computes, not one that counts or addresses.
bool computes(const Places& places, std::size_t i) {
  return !places.is_in_index(i) && !places.is_in_loop_head(i);
}

bool is_operand(const Code& code, std::size_t i) {
  return code.is_name(i) || code.token(i).kind == TokenKind::number || code.text(i) == ")" ||
         code.text(i) == "]";
}

std::vector<Edit> wrong_sign(const Code& code) {
  const Places places(code);
  std::vector<Edit> edits;
  for (const auto& [from, to] : {std::pair{"+", "-"}, std::pair{"-", "+"}}) {
    for (const std::size_t i : places.of(from)) {
      if (i > 0 && is_operand(code, i - 1) && computes(places, i)) {
        edits.push_back(replacement(code, {i, i + 1}, to));
      }
    }
  }
  return edits;
}

// The last term of a sum that ends its statement.
std::vector<Edit> dropped_term(const Code& code) {
  const Places places(code);
  std::vector<Edit> edits;
  for (const std::size_t i : places.of("+")) {
    if (i == 0 || !is_operand(code, i - 1) || !computes(places, i)) continue;
    const std::size_t end = code.find({i, code.size()}, ";");
    if (end == code.size() || places.bracket(end) != places.bracket(i)) continue;
    edits.push_back(replacement(code, {i, end}, ""));
  }
  return edits;
}

std::vector<Edit> wrong_constant(const Code& code) {
  const Places places(code);
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!places.is_in_body(i) || code.token(i).kind != TokenKind::number) continue;
    const std::string text(code.text(i));
    if (text.find('.') == std::string::npos || !computes(places, i)) continue;
    edits.push_back(replacement(
        code, {i, i + 1},
        text.starts_with("1.") ? "2" + text.substr(1) : "1" + text.substr(text.find('.'))));
  }
  return edits;
}

std::vector<Edit> wrong_reduction(const Code& code) {
  const Places places(code);
  std::vector<Edit> edits;
  for (const std::size_t i : places.of("+=")) {
    if (computes(places, i)) edits.push_back(replacement(code, {i, i + 1}, "="));
  }
  for (const std::size_t i : places.of("max")) {
    if (code.spells(i - 1, {"::", "max", "("})) {
      edits.push_back(replacement(code, {i, i + 1}, "min"));
    }
  }
  return edits;
}

std::vector<Edit> wrong_comparison(const Code& code) {
  const Places places(code);
  std::vector<Edit> edits;
  for (std::size_t i = 1; i < code.size(); ++i) {
    const std::string_view text = code.text(i);
    if (!places.is_in_body(i) || !computes(places, i) || !is_operand(code, i - 1)) continue;
    if (text == "==") edits.push_back(replacement(code, {i, i + 1}, "!="));
    if (text == ">" && (code.text(i - 1) == ")" || code.text(i - 1) == "]")) {
      edits.push_back(replacement(code, {i, i + 1}, "<"));
    }
    if (text == "<" && code.text(i - 1) == "]") {
      edits.push_back(replacement(code, {i, i + 1}, ">"));
    }
  }
  return edits;
}

// Two neighbouring arguments that differ in one name.
std::vector<Edit> swapped_arguments(const Code& code) {
  const Places places(code);
  std::vector<Edit> edits;
  for (const std::size_t open : places.of("(")) {
    if (open == 0 || !code.is_name(open - 1)) continue;
    const std::vector<Range> arguments = arguments_of(code, open);
    for (std::size_t k = 1; k < arguments.size(); ++k) {
      const Range& a = arguments[k - 1];
      const Range& b = arguments[k];
      if (a.size() != b.size() || !code.is_name(a.begin) || !code.is_name(b.begin)) continue;
      if (code.slice({a.begin + 1, a.end}) != code.slice({b.begin + 1, b.end})) continue;
      edits.push_back(replacement(code, {a.begin, b.end},
                                  std::string(code.slice(b)) + ", " + std::string(code.slice(a))));
    }
  }
  return edits;
}

std::vector<Edit> wrong_function(const Code& code) {
  const Places places(code);
  std::vector<Edit> edits;
  for (const auto& [from, to] :
       {std::pair{"sqrt", "cbrt"}, std::pair{"exp", "exp2"}, std::pair{"log", "log2"},
        std::pair{"expf", "exp2f"}, std::pair{"rsqrtf", "sqrtf"}}) {
    for (const std::size_t i : places.of(from)) {
      if (code.text(i + 1) == "(") edits.push_back(replacement(code, {i, i + 1}, to));
    }
  }
  return edits;
}

// A loop leaves its first element out.
std::vector<Edit> skipped_element(const Code& code) {
  const Places places(code);
  std::vector<Edit> edits;
  for (const std::size_t i : places.of("for")) {
    if (code.text(i + 1) == "(" && code.spells(i + 4, {"=", "0", ";"})) {
      edits.push_back(replacement(code, {i + 5, i + 6}, "1"));
    }
  }
  return edits;
}

// A value is rounded to half precision, which has ten bits of a mantissa, in between.
std::vector<Edit> half_precision(const Code& code) {
  const Places places(code);
  std::vector<Edit> edits;
  for (const std::size_t i : places.of("=")) {
    if (i < 2 || code.text(i - 2) != "float" || !computes(places, i)) continue;
    const std::size_t end = code.find({i, code.size()}, ";");
    if (end == code.size() || end < i + 3 || places.bracket(end) != places.bracket(i)) continue;
    edits.push_back(replacement(code, {i + 1, end},
                                "static_cast<float>(static_cast<c10::Half>(static_cast<float>(" +
                                    std::string(code.slice({i + 1, end})) + ")))"));
  }
  return edits;
}

}  // namespace

std::vector<Rule> numerics_rules() {
  const Intent intent = Intent::numerics;
  return {{"wrong_sign", intent, wrong_sign},
          {"dropped_term", intent, dropped_term},
          {"wrong_constant", intent, wrong_constant},
          {"wrong_reduction", intent, wrong_reduction},
          {"wrong_comparison", intent, wrong_comparison},
          {"swapped_arguments", intent, swapped_arguments},
          {"wrong_function", intent, wrong_function},
          {"skipped_element", intent, skipped_element},
          {"half_precision", intent, half_precision}};
}

}  // namespace robust_kbench::mutants
