#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "archive/archive.hpp"

namespace robust_kbench {

// Writes how fast the winners of runs are on configs that their search has seen and on others, as
// CSV. A row is a config, a winner, and what it raced against. Each device on which the run was
// re-evaluated has a column of speed-ups, and two with their 95 % interval. In place of a speed-up
// stands why there is none. docs/archive.md has the columns. Throws UserError where a run was
// re-evaluated nowhere.
void export_generalisation(const Archive& archive, const std::vector<std::string>& runs,
                           std::ostream& out);

}  // namespace robust_kbench
