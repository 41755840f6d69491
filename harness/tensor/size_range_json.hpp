#pragma once

#include <robust_kbench/task.hpp>

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// An object of the parameter's name and the values that it may have.
void to_json(nlohmann::json& json, const SizeRange& size);

}  // namespace robust_kbench
