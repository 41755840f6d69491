#include "core/example.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

std::string to_text(const Example& example) {
  std::string index;
  for (const std::int64_t i : example.index) {
    index += (index.empty() ? "" : ", ") + std::to_string(i);
  }
  if (example.index.size() == 1) index += ",";  // as Python writes a tuple
  return "at index (" + index + "): got " + example.actual + ", expected " + example.expected;
}

void to_json(nlohmann::json& json, const Example& example) {
  json = {{"output", example.output},
          {"index", example.index},
          {"actual", example.actual},
          {"expected", example.expected}};
}

void from_json(const nlohmann::json& json, Example& example) {
  json.at("output").get_to(example.output);
  json.at("index").get_to(example.index);
  json.at("actual").get_to(example.actual);
  json.at("expected").get_to(example.expected);
}

}  // namespace robust_kbench
