#pragma once

#include <robust_kbench/params.hpp>

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// An object of all parameters by name, each with its type.
nlohmann::json params_json(const Params& params);

}  // namespace robust_kbench
