#pragma once

#include "report/evolution_page.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// Each refused proposal with the reason in words.
nlohmann::json refusal_blocks(const ShownEvolution& shown);

// How many proposals of each proposer were accepted, and refused for which reason.
nlohmann::json proposer_blocks(const ShownEvolution& shown);

}  // namespace robust_kbench
