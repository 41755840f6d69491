#pragma once

#include "archive/rows.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// Every column by its name. An empty optional is null.
void to_json(nlohmann::json& json, const RunRow& run);
void to_json(nlohmann::json& json, const ProposalRow& proposal);

}  // namespace robust_kbench
