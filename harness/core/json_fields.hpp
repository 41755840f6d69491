#pragma once

#include <optional>
#include <vector>

#include "core/judgement.hpp"

#include <nlohmann/json.hpp>

// Conversions of the fields in the records' JSON.
namespace robust_kbench {

// JSON has no NaN or infinity: null stands for them.
nlohmann::json number(double value);
double number_of(const nlohmann::json& json);

nlohmann::json numbers(const std::vector<double>& values);
std::vector<double> numbers_of(const nlohmann::json& list);

// The fields `verdict`, `cheat_class` and `reason` of an object.
void put_judgement(nlohmann::json& json, const Judgement& judgement);
Judgement get_judgement(const nlohmann::json& json);

// The fields `examples` and `output`, which records of earlier releases lack.
void put_evidence(nlohmann::json& json, const Judgement& judgement);
void get_evidence(const nlohmann::json& json, Judgement& judgement);

// null stands for a missing value.
template <typename Value>
nlohmann::json value_or_null(const std::optional<Value>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

template <typename Value>
std::optional<Value> optional_of(const nlohmann::json& json) {
  if (json.is_null()) return std::nullopt;
  return json.get<Value>();
}

}  // namespace robust_kbench
