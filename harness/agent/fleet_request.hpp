#pragma once

#include <string>

#include "command/fleet_options.hpp"
#include "runs/pilots/pilot_fleet.hpp"

namespace robust_kbench {

// What the options ask for.
FleetRequest fleet_request(const FleetOptions& options);
// Returns what --dry-run prints of them: Slurm's script, or nothing.
std::string plan_of(const FleetOptions& options);

}  // namespace robust_kbench
