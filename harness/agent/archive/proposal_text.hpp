#pragma once

#include <cstdint>
#include <string>

#include "archive/archive.hpp"

namespace robust_kbench {

// Describes a proposal to a person: what became of it and why, where its source lies, and how it
// was made. The lineage to its seed and a summary of its record follow.
std::string proposal_text(const Archive& archive, const std::string& run, std::int64_t id);

}  // namespace robust_kbench
