#include "agent/fleet_options.hpp"

#include <filesystem>

#include "command/common_options.hpp"
#include "command/option_groups.hpp"
#include "core/error.hpp"
#include "runs/pilots/slurm.hpp"

namespace robust_kbench {

void add_fleet_options(CommandLine& command, FleetOptions& options) {
  FleetRequest& fleet = options.fleet;
  add_common_option(command, "--workers", fleet.workers);
  add_common_option(command, "--run-directory", fleet.run_directory);
  add_common_option(command, "--pilot-count", fleet.pilots).capture_default_str();
  add_common_option(command, "--sbatch", fleet.sbatch);
  command
      .add_option(
          "--pilot-option", fleet.pilot_options,
          "An option of `rkb pilot` for those that Slurm starts, as --pilot-option=--slots=4; "
          "may be repeated")
      .group(group_of("--pilot-option"));
  add_common_option(command, "--lease", fleet.lease_seconds).capture_default_str();
}

void require_sound(const FleetOptions& options) {
  const FleetRequest& fleet = options.fleet;
  if (!options.is_given()) {
    const bool given =
        !fleet.run_directory.empty() || !fleet.sbatch.empty() || !fleet.pilot_options.empty();
    if (!given) return;
    throw UserError(
        "--run-directory, --sbatch and --pilot-option are for pilots; give --workers slurm or own");
  }
  if (fleet.run_directory.empty()) {
    throw UserError("--workers " + fleet.workers +
                    " needs --run-directory: a new folder that all machines see");
  }
  if ((!fleet.sbatch.empty() || !fleet.pilot_options.empty()) && !fleet.is_slurm()) {
    throw UserError(
        "--sbatch and --pilot-option are for Slurm; give --workers slurm, or leave them out");
  }
}

std::string plan_of(const FleetOptions& options) {
  if (!options.is_given() || !options.fleet.is_slurm()) return "";
  return slurm_script({.run_directory = std::filesystem::absolute(options.fleet.run_directory),
                       .pilots = options.fleet.pilots,
                       .options = options.fleet.sbatch,
                       .pilot_options = options.fleet.pilot_options});
}

}  // namespace robust_kbench
