#include "core/params_json.hpp"

#include <variant>

#include <nlohmann/json.hpp>

namespace robust_kbench {

nlohmann::json params_json(const Params& params) {
  nlohmann::json object = nlohmann::json::object();
  for (const auto& [name, value] : params.values()) {
    std::visit([&, &key = name](const auto& v) { object[key] = v; }, value);
  }
  return object;
}

}  // namespace robust_kbench
