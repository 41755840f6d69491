#include "command/completion_json.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

void to_json(nlohmann::json& json, const CompletedOption& option) {
  json = {{"names", option.names},
          {"text", option.text},
          {"takes_value", option.takes_value},
          {"choices", option.choices}};
}

void from_json(const nlohmann::json& json, CompletedOption& option) {
  json.at("names").get_to(option.names);
  json.at("text").get_to(option.text);
  json.at("takes_value").get_to(option.takes_value);
  json.at("choices").get_to(option.choices);
}

void to_json(nlohmann::json& json, const CompletedCommand& command) {
  json = {{"path", command.path},
          {"text", command.text},
          {"options", command.options},
          {"arguments", command.arguments}};
}

void from_json(const nlohmann::json& json, CompletedCommand& command) {
  json.at("path").get_to(command.path);
  json.at("text").get_to(command.text);
  json.at("options").get_to(command.options);
  json.at("arguments").get_to(command.arguments);
}

}  // namespace robust_kbench
