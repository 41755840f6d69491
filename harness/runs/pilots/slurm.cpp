#include "runs/pilots/slurm.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>

#include "core/error.hpp"
#include "core/find_program.hpp"
#include "core/output_file.hpp"
#include "core/own_command.hpp"
#include "core/shell_word.hpp"
#include "core/text_file.hpp"
#include "process/command.hpp"
#include "process/escape.hpp"

#include <fmt/format.h>

namespace robust_kbench {

namespace fs = std::filesystem;

namespace {

constexpr const char* script_file = "slurm.sh";
constexpr const char* job_file = "slurm_job";

// A controller that is busy answers late.
constexpr std::chrono::seconds longest_answer{60};

CommandResult ask_slurm(std::vector<std::string> command) {
  if (find_program(command.front(), search_path()).empty()) {
    throw UserError(command.front() +
                    " is not in PATH; give --workers slurm where Slurm's commands are, or start "
                    "pilots yourself and give --workers own");
  }
  return run_command(command, longest_answer);
}

CommandResult require_answer(const std::vector<std::string>& command) {
  CommandResult result = ask_slurm(command);
  if (result.exit_code == 0) return result;
  throw UserError(fmt::format("{} fails: {}; mend this, or change what --sbatch gives it",
                              command.front(), escaped(result.output)));
}

std::string first_number(const std::string& text) {
  const auto end = std::ranges::find_if(text, [](unsigned char c) { return std::isdigit(c) == 0; });
  return {text.begin(), end};
}

}  // namespace

// Slurm ends a job by SIGTERM, which reaches the pilot only where no shell waits for it.
std::string slurm_script(const SlurmPilots& pilots) {
  std::string text = fmt::format(
      "#!/bin/sh\n"
      "#SBATCH --job-name=rkb-pilot\n"
      "#SBATCH --array=1-{}\n"
      "#SBATCH --requeue\n"
      "#SBATCH --open-mode=append\n"
      "#SBATCH --output={}/%A_%a.txt\n",
      pilots.pilots, (pilots.run_directory / "logs").string());
  for (const std::string& option : pilots.options) text += "#SBATCH " + option + "\n";
  text += "exec " + own_command() +
          " pilot --label \"slurm ${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}\"";
  for (const std::string& option : pilots.pilot_options) text += " " + shell_word(option);
  return text + " " + path_word(pilots.run_directory) + "\n";
}

std::optional<std::string> known_slurm_job(const fs::path& run_directory) {
  const std::string job = first_number(read_text(run_directory / job_file).value_or(""));
  if (job.empty()) return std::nullopt;
  // squeue fails for a job that it has forgotten.
  const CommandResult result = ask_slurm({"squeue", "--noheader", "--format=%i", "--jobs=" + job});
  const bool is_known = result.exit_code == 0 && result.output.find(job) != std::string::npos;
  return is_known ? std::optional(job) : std::nullopt;
}

std::string submit_to_slurm(const SlurmPilots& pilots) {
  const fs::path script = pilots.run_directory / script_file;
  OutputFile(script).write(slurm_script(pilots));
  const CommandResult result = require_answer({"sbatch", "--parsable", script.string()});
  const std::string job = first_number(result.output);
  if (job.empty()) {
    throw UserError("sbatch names no job: " + escaped(result.output) +
                    "; leave out what makes it print other things");
  }
  OutputFile(pilots.run_directory / job_file).write(job + "\n");
  return job;
}

std::string cancel_slurm_job(const fs::path& run_directory, const std::string& job) {
  try {
    const CommandResult result = ask_slurm({"scancel", job});
    if (result.exit_code != 0) return escaped(result.output);
    fs::remove(run_directory / job_file);
    return "";
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace robust_kbench
