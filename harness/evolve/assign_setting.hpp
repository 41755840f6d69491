#pragma once

#include <string>

#include "evolve/setting_keys.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// Sets the key's member. Throws UserError for a value of another type or outside of the key's
// range; `where` begins its message.
void assign_setting(EvolutionSettings& settings, const SettingKey& key, const nlohmann::json& value,
                    const std::string& where);

}  // namespace robust_kbench
