#pragma once

#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "runs/pilots/pilot_report.hpp"

namespace robust_kbench {

// Returns a table of a run's pilots: who did what, how long, how idle, and what became of each.
std::string pilots_text(const Archive& archive, const std::string& run);

// Returns what a run's summary says of its pilots in a few lines; empty where it had none.
std::string pilots_in_short(const std::vector<PilotRow>& rows);

}  // namespace robust_kbench
