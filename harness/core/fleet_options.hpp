#pragma once

#include <string>
#include <vector>

namespace robust_kbench {

// The pilots on other machines that a command uses (docs/cluster.md).
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

}  // namespace robust_kbench
