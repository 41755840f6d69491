#pragma once

#include <string>
#include <vector>

#include "command/command_line.hpp"

namespace robust_kbench {

// The options by which a command evaluates on pilots, on other machines (docs/cluster.md).
struct FleetOptions {
  std::string workers;                     // "slurm", or "own" for pilots that somebody else starts
  std::string run_directory;               // that all machines see
  int pilots = 1;                          // that are started, or expected
  std::vector<std::string> sbatch;         // options of sbatch
  std::vector<std::string> pilot_options;  // of `rkb pilot`, for those that are started
  double lease_seconds = 60;

  [[nodiscard]] bool is_given() const { return !workers.empty(); }
  [[nodiscard]] bool is_slurm() const { return workers == "slurm"; }
};

// Declares them. `options` outlives the parsing.
void add_fleet_options(CommandLine& command, FleetOptions& options);
// Throws UserError for options that cannot go together.
void require_sound(const FleetOptions& options);

// Returns the words that say the same to another command.
std::vector<std::string> words_of(const FleetOptions& options);
// The names of all of these options.
const std::vector<std::string>& fleet_option_names();

}  // namespace robust_kbench
