#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "archive/rows.hpp"

namespace robust_kbench {

// A proposal of a run, its first parent, the first parent of that, and so on to the seed.
// `proposals` are all of the run, by id. Throws UserError where one is missing or its own ancestor.
std::vector<ProposalRow> lineage(const std::vector<ProposalRow>& proposals, std::int64_t id);

// The product of the lineage's speed-ups, each over its parent; 1 for a seed. nullopt where a race
// of the lineage is missing.
std::optional<double> speedup_over_seed(const std::vector<ProposalRow>& proposals, std::int64_t id);

}  // namespace robust_kbench
