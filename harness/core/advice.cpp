#include "core/advice.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

void to_json(nlohmann::json& json, const Advice& advice) {
  json = {{"rule", advice.rule},
          {"kernel", advice.kernel},
          {"stake", advice.stake},
          {"text", advice.text},
          {"because", advice.because}};
}

void from_json(const nlohmann::json& json, Advice& advice) {
  json.at("rule").get_to(advice.rule);
  json.at("kernel").get_to(advice.kernel);
  json.at("stake").get_to(advice.stake);
  json.at("text").get_to(advice.text);
  json.at("because").get_to(advice.because);
}

}  // namespace robust_kbench
