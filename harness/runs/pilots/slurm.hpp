#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace robust_kbench {

// Pilots as an array of Slurm's jobs.
struct SlurmPilots {
  std::filesystem::path run_directory;
  int pilots = 1;
  std::vector<std::string> options;        // of sbatch, each a word such as "--partition=gpu"
  std::vector<std::string> pilot_options;  // of `rkb pilot`, each a word
};

// The script that sbatch gets. Its jobs are the same pilots that a person may start by hand.
std::string slurm_script(const SlurmPilots& pilots);

// The number of the array that was submitted for this run directory and still waits or runs; none:
// there is none. Throws UserError where Slurm's commands are missing or fail.
std::optional<std::string> known_slurm_job(const std::filesystem::path& run_directory);
// Submits the script, which is kept in the run directory with the array's number. Returns the
// number. Throws UserError as above.
std::string submit_to_slurm(const SlurmPilots& pilots);
// Ends the array. Returns why this failed, or empty.
std::string cancel_slurm_job(const std::filesystem::path& run_directory, const std::string& job);

}  // namespace robust_kbench
