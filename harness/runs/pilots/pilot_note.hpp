#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// Returns what a person should know at once of an event of pilots (docs/archive.md); empty:
// nothing. `what` calls the work, as "candidate".
std::string note_of_pilots(const nlohmann::json& event, const std::string& what);

}  // namespace robust_kbench
