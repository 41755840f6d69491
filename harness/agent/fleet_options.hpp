#pragma once

#include <string>

#include "command/command_line.hpp"
#include "runs/pilots/pilot_fleet.hpp"

namespace robust_kbench {

// The options by which a command evaluates on pilots (docs/cluster.md).
struct FleetOptions {
  FleetRequest fleet;

  [[nodiscard]] bool is_given() const { return !fleet.workers.empty(); }
};

// Declares them. `options` outlives the parsing.
void add_fleet_options(CommandLine& command, FleetOptions& options);
// Throws UserError for options that cannot go together.
void require_sound(const FleetOptions& options);
// Returns what --dry-run prints of them: Slurm's script, or nothing.
std::string plan_of(const FleetOptions& options);

}  // namespace robust_kbench
