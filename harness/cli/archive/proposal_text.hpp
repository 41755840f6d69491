#pragma once

#include <cstdint>
#include <string>

#include "archive/archive.hpp"

namespace robust_kbench {

// A proposal for a person: what became of it and why, where its source lies, and how it was made.
// Then the lineage to its seed, and a summary of its record.
std::string proposal_text(const Archive& archive, const std::string& run, std::int64_t id);

}  // namespace robust_kbench
