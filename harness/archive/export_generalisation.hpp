#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "archive/archive.hpp"

namespace robust_kbench {

// Writes the speed-ups of runs' winners on configs that their search has seen and on others, as
// CSV. A row is a config, a winner, and a baseline. Each device on which the run was re-evaluated
// has a column of speed-ups, and two with their 95 % interval. A missing speed-up is replaced by
// the reason. docs/archive.md has the columns. Throws UserError for a run that was never
// re-evaluated.
void export_generalisation(const Archive& archive, const std::vector<std::string>& runs,
                           std::ostream& out);

}  // namespace robust_kbench
