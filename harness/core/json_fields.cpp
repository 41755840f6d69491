#include "core/json_fields.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace robust_kbench {

using nlohmann::json;

// nlohmann writes such a value as null only in dump(), so comparisons would see the number.
json number(double value) {
  return std::isfinite(value) ? json(value) : json(nullptr);
}

double number_of(const json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

json numbers(const std::vector<double>& values) {
  json list = json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

std::vector<double> numbers_of(const json& list) {
  std::vector<double> values;
  std::transform(list.begin(), list.end(), std::back_inserter(values), number_of);
  return values;
}

void put_judgement(json& json, const Judgement& judgement) {
  json["verdict"] = to_string(judgement.verdict);
  json["cheat_class"] = nullptr;
  if (judgement.cheat_class != CheatClass::none) {
    json["cheat_class"] = to_string(judgement.cheat_class);
  }
  json["reason"] = judgement.reason;
}

Judgement get_judgement(const json& json) {
  Judgement judgement;
  judgement.verdict = parse_verdict(json.at("verdict").get<std::string>());
  // Builds of schema 2 and profiles of schema 1 have no such field, since neither can be a cheat.
  const auto cheat_class = json.value("cheat_class", nlohmann::json(nullptr));
  if (!cheat_class.is_null()) {
    judgement.cheat_class = parse_cheat_class(cheat_class.get<std::string>());
  }
  json.at("reason").get_to(judgement.reason);
  return judgement;
}

void put_evidence(json& json, const Judgement& judgement) {
  json["examples"] = judgement.examples;
  json["output"] = judgement.output;
}

void get_evidence(const json& json, Judgement& judgement) {
  judgement.examples = json.value("examples", std::vector<Example>());
  judgement.output = json.value("output", std::string());
}

}  // namespace robust_kbench
