#pragma once

#include <robust_kbench/params.hpp>

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// A JSON object of all parameters by name, with their types kept.
nlohmann::json params_json(const Params& params);

}  // namespace robust_kbench
