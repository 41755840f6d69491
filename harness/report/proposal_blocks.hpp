#pragma once

#include <cstdint>
#include <string>

#include "report/evolution_page.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// The target of a proposal's code.
std::string proposal_target(std::int64_t id);

// The tree of parents with the gain of each step, and all proposals as its table. Refused proposals
// are only counted in the tree, since most are refused.
nlohmann::json proposal_blocks(const ShownEvolution& shown);

}  // namespace robust_kbench
