#include "agent/fleet_request.hpp"

#include <filesystem>

#include "runs/pilots/slurm.hpp"

namespace robust_kbench {

FleetRequest fleet_request(const FleetOptions& options) {
  return {.workers = options.workers,
          .run_directory = options.run_directory,
          .pilots = options.pilots,
          .sbatch = options.sbatch,
          .pilot_options = options.pilot_options,
          .lease_seconds = options.lease_seconds};
}

std::string plan_of(const FleetOptions& options) {
  if (!options.is_slurm()) return "";
  return slurm_script({.run_directory = std::filesystem::absolute(options.run_directory),
                       .pilots = options.pilots,
                       .options = options.sbatch,
                       .pilot_options = options.pilot_options});
}

}  // namespace robust_kbench
