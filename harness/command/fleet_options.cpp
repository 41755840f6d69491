#include "command/fleet_options.hpp"

#include "command/common_options.hpp"
#include "core/error.hpp"

#include <fmt/format.h>

namespace robust_kbench {

void add_fleet_options(CommandLine& command, FleetOptions& options) {
  add_common_option(command, "--workers", options.workers);
  add_common_option(command, "--run-directory", options.run_directory);
  add_common_option(command, "--pilot-count", options.pilots).capture_default_str();
  add_common_option(command, "--pilot-option", options.pilot_options);
  add_common_option(command, "--sbatch", options.sbatch);
  add_common_option(command, "--lease", options.lease_seconds).capture_default_str();
}

void require_sound(const FleetOptions& options) {
  const bool for_slurm = !options.sbatch.empty() || !options.pilot_options.empty();
  if (!options.is_given()) {
    if (options.run_directory.empty() && !for_slurm) return;
    throw UserError(
        "--run-directory, --sbatch and --pilot-option are for pilots; give --workers slurm or own");
  }
  if (options.run_directory.empty()) {
    throw UserError("--workers " + options.workers +
                    " needs --run-directory: a new folder that all machines see");
  }
  if (for_slurm && !options.is_slurm()) {
    throw UserError(
        "--sbatch and --pilot-option are for Slurm; give --workers slurm, or leave them out");
  }
}

std::vector<std::string> words_of(const FleetOptions& options) {
  std::vector<std::string> words{"--workers",       options.workers,
                                 "--run-directory", options.run_directory,
                                 "--pilot-count",   std::to_string(options.pilots),
                                 "--lease",         fmt::format("{}", options.lease_seconds)};
  for (const std::string& option : options.sbatch) words.push_back("--sbatch=" + option);
  for (const std::string& option : options.pilot_options) {
    words.push_back("--pilot-option=" + option);
  }
  return words;
}

const std::vector<std::string>& fleet_option_names() {
  static const std::vector<std::string> names{"--workers",      "--run-directory", "--pilot-count",
                                              "--pilot-option", "--sbatch",        "--lease"};
  return names;
}

}  // namespace robust_kbench
