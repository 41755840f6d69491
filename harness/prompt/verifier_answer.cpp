#include "prompt/verifier_answer.hpp"

#include <algorithm>
#include <array>

#include "core/enum_names.hpp"
#include "prompt/marked_answer.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

constexpr EnumNames<Verifier, 3> names{"verifier",
                                       {{{Verifier::compilation, "compilation"},
                                         {Verifier::memory, "memory"},
                                         {Verifier::numerics, "numerics"}}}};

constexpr std::string_view final_words = "FINAL VERIFICATION ANSWER";

// The words of a line that are letters and digits; Markdown and punctuation separate them.
std::vector<std::string> line_words(std::string_view line) {
  std::vector<std::string> words(1);
  for (const char c : line) {
    const bool in_word = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (in_word) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

bool is_class(const std::string& name, Verifier verifier) {
  const std::vector<std::string>& classes = error_classes(verifier);
  return std::ranges::find(classes, name) != classes.end();
}

// The verdict of an object that keeps to the schema and has the mark.
std::optional<VerifierVerdict> verdict_of(const json& object, Verifier verifier,
                                          std::string_view mark) {
  if (!object.is_object()) return {};
  for (const char* const member : {"mark", "valid", "class", "reasons", "line"}) {
    if (!object.contains(member)) return {};
  }
  const json& reasons = object["reasons"];
  const bool are_texts = reasons.is_array() && std::ranges::all_of(reasons, [](const json& reason) {
                           return reason.is_string();
                         });
  if (object["mark"] != mark || !object["valid"].is_boolean() || !object["class"].is_string() ||
      !are_texts || !object["line"].is_number_integer()) {
    return {};
  }
  const std::string error_class = object["class"];
  const bool valid = object["valid"];
  if (!is_class(error_class, verifier) || valid != (error_class == "none")) return {};
  return VerifierVerdict{.valid = valid,
                         .error_class = error_class,
                         .reasons = reasons.get<std::vector<std::string>>(),
                         .line = std::max(0, object["line"].get<int>())};
}

// The verdict of the last line with the final words and the mark.
std::optional<VerifierVerdict> last_marked_line(std::string_view text, std::string_view mark) {
  std::size_t at = text.rfind(final_words);
  while (at != std::string_view::npos) {
    const std::size_t begin = at + final_words.size();
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::vector<std::string> words = line_words(text.substr(begin, end - begin));
    if (words.size() == 2 && words[1] == mark && (words[0] == "True" || words[0] == "False")) {
      return VerifierVerdict{.valid = words[0] == "True"};
    }
    if (at == 0) break;
    at = text.rfind(final_words, at - 1);
  }
  return {};
}

}  // namespace

std::string_view to_string(Verifier verifier) {
  return names.name_of(verifier);
}

Verifier parse_verifier(std::string_view name) {
  return names.parse(name);
}

const std::vector<std::string>& error_classes(Verifier verifier) {
  static const std::array<std::vector<std::string>, 3> classes{
      {{"none", "syntax", "undeclared", "type", "directive", "target", "linking", "entry_point"},
       {"none", "out_of_bounds", "misaligned", "uninitialized", "lifetime", "race",
        "input_mutation", "capacity"},
       {"none", "formula", "indexing", "coverage", "reduction", "order", "precision",
        "special_values", "remembered_result"}}};
  return classes[names.index_of(verifier)];
}

ParsedVerdict parse_verdict_answer(std::string_view answer, Verifier verifier,
                                   std::string_view mark) {
  const std::string text = without_fences(answer, mark);
  if (auto verdict = verdict_of(object_at_end(text), verifier, mark)) return {verdict, ""};
  if (auto verdict = last_marked_line(text, mark)) return {verdict, ""};
  return {{}, "the answer has no verdict with the mark of its prompt"};
}

nlohmann::json verdict_schema(Verifier verifier) {
  // An object's members are sent in the order of their names, and models write them in that order.
  return {{"type", "object"},
          {"properties",
           {{"analysis", {{"type", "string"}}},
            {"mark", {{"type", "string"}}},
            {"valid", {{"type", "boolean"}}},
            {"class", {{"type", "string"}, {"enum", error_classes(verifier)}}},
            {"reasons", {{"type", "array"}, {"items", {{"type", "string"}}}}},
            {"line", {{"type", "integer"}}}}},
          {"required", {"analysis", "mark", "valid", "class", "reasons", "line"}},
          {"additionalProperties", false}};
}

}  // namespace robust_kbench
