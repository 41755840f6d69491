#pragma once

#include "command/command_line.hpp"

#include <nlohmann/json_fwd.hpp>

// The commands and options that `rkb_agent` tells `rkb completion` of.
namespace robust_kbench {

void to_json(nlohmann::json& json, const CompletedOption& option);
void from_json(const nlohmann::json& json, CompletedOption& option);
void to_json(nlohmann::json& json, const CompletedCommand& command);
void from_json(const nlohmann::json& json, CompletedCommand& command);

}  // namespace robust_kbench
