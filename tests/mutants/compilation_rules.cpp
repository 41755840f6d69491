#include <map>
#include <string>

#include "mutation.hpp"
#include "places.hpp"

namespace robust_kbench::mutants {
namespace {

std::vector<Edit> missing_include(const Code& code) {
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code.is_directive(i) && code.text(i).starts_with("#include <")) {
      edits.push_back(replacement(code, {i, i + 1}, ""));
    }
  }
  return edits;
}

bool is_local_use(const Code& code, const Places& places, std::size_t i) {
  if (!places.is_in_body(i) || !code.is_name(i) || code.text(i).size() < 3) return false;
  const std::string_view before = i == 0 ? "" : code.text(i - 1);
  const std::string_view after = code.text(i + 1);
  if (before == "." || before == ">" || before == "::" || before == "->") return false;
  return after == ";" || after == "+" || after == "*" || after == "[" || after == "/";
}

// The last use of each name that is used three times.
std::vector<Edit> undeclared_name(const Code& code) {
  const Places places(code);
  std::map<std::string_view, std::vector<std::size_t>> uses;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (is_local_use(code, places, i)) uses[code.text(i)].push_back(i);
  }
  std::vector<Edit> edits;
  for (const auto& [name, where] : uses) {
    if (where.size() < 3) continue;
    edits.push_back(replacement(code, {where.back(), where.back() + 1}, std::string(name) + "s"));
  }
  return edits;
}

std::vector<Edit> missing_semicolon(const Code& code) {
  const Places places(code);
  std::vector<Edit> edits;
  for (const std::size_t i : places.of(";")) {
    if (places.bracket(i) < code.size() && code.text(places.bracket(i)) == "{") {
      edits.push_back(replacement(code, {i, i + 1}, ""));
    }
  }
  return edits;
}

std::vector<Edit> missing_brace(const Code& code) {
  const Places places(code);
  std::vector<Edit> edits;
  for (const std::size_t i : places.of("}")) edits.push_back(replacement(code, {i, i + 1}, ""));
  return edits;
}

// A pointer to other elements than those that it is made from.
std::vector<Edit> wrong_type(const Code& code) {
  std::vector<Edit> edits;
  for (std::size_t i = 1; i < code.size(); ++i) {
    if (code.spells(i, {"float", "*"})) {
      edits.push_back(replacement(code, {i, i + 1}, "double"));
    }
  }
  return edits;
}

std::vector<Edit> missing_element_type(const Code& code) {
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code.spells(i, {"data_ptr", "<", "float", ">"})) {
      edits.push_back(replacement(code, {i + 1, i + 4}, ""));
    }
  }
  return edits;
}

std::vector<Edit> missing_call(const Code& code) {
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code.spells(i, {"data_ptr", "<", "float", ">", "(", ")"})) {
      edits.push_back(replacement(code, {i + 4, i + 6}, ""));
    }
  }
  return edits;
}

// In a call that is a statement, and so most likely one of the source's own functions.
std::vector<Edit> missing_argument(const Code& code) {
  const Places places(code);
  std::vector<Edit> edits;
  for (const std::size_t open : places.of("(")) {
    if (open < 2 || !code.is_name(open - 1)) continue;
    const std::string_view before = code.text(open - 2);
    if (before != ";" && before != "{" && before != "}") continue;
    const std::vector<Range> arguments = arguments_of(code, open);
    if (arguments.size() < 3) continue;
    edits.push_back(replacement(code, {arguments.back().begin - 1, arguments.back().end}, ""));
  }
  return edits;
}

// In `m.def("forward", &forward, ...)`.
std::vector<Edit> in_binding(const Code& code, std::size_t offset, const std::string& text) {
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code.spells(i, {".", "def", "("})) {
      return {replacement(code, {i + offset, i + offset + 1}, text)};
    }
  }
  return {};
}

std::vector<Edit> wrong_entry_point(const Code& code) {
  return in_binding(code, 3, "\"run\"");
}

std::vector<Edit> undefined_function(const Code& code) {
  return in_binding(code, 6, "entry_point");
}

std::vector<Edit> kernel_without_global(const Code& code) {
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code.text(i) == "__global__") edits.push_back(replacement(code, {i, i + 1}, "static"));
  }
  return edits;
}

}  // namespace

std::vector<Rule> compilation_rules() {
  const Intent intent = Intent::compilation;
  return {{"missing_include", intent, missing_include},
          {"undeclared_name", intent, undeclared_name},
          {"missing_semicolon", intent, missing_semicolon},
          {"missing_brace", intent, missing_brace},
          {"wrong_type", intent, wrong_type},
          {"missing_element_type", intent, missing_element_type},
          {"missing_call", intent, missing_call},
          {"missing_argument", intent, missing_argument},
          {"wrong_entry_point", intent, wrong_entry_point},
          {"undefined_function", intent, undefined_function},
          {"kernel_without_global", intent, kernel_without_global}};
}

}  // namespace robust_kbench::mutants
