#include "agent/evolve_options.hpp"

#include <utility>

#include "agent/cap_options.hpp"
#include "command/common_options.hpp"
#include "core/error.hpp"
#include "core/own_command.hpp"
#include "runs/run_kind.hpp"
#include "torch_task/package_facts.hpp"
#include "torch_task/package_files.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// Refuses options that `--all` would pass over, since whoever gives them expects more.
void require_for_all(const EvolveCommandOptions& options) {
  const std::pair<const char*, bool> of_one_entry[]{{"--task", !options.entry.task.empty()},
                                                    {"--resume", !options.resume.empty()},
                                                    {"--replay", !options.replay.empty()},
                                                    {"--show-prompt", options.show_prompt}};
  for (const auto& [option, given] : of_one_entry) {
    if (!given) continue;
    throw UserError(fmt::format(
        "{} is for one entry, and --all means all of them; leave one of the two out{}", option,
        option == std::string("--resume") ? ": the same command with --all goes on by itself"
                                          : ""));
  }
}

// Fills in what options leave out from the run that goes on, or is replayed, which has `value`.
// Throws UserError where an option says something else.
void take_from(const RunRow& run, const char* option, const std::string& value,
               std::string& given) {
  if (given.empty()) given = value;
  if (given == value) return;
  throw UserError(fmt::format("run {} is of {} on {}, not of {} {}; leave the option out, or {}",
                              run.id, run.entry.name(), to_string(run.device), option, given,
                              how_to_go_on(run)));
}

}  // namespace

void add_evolve_options(CommandLine& command, EvolveCommandOptions& options, bool tune_only) {
  add_common_option(command, "--task", options.entry.task,
                    "not needed with --resume or --replay, which know it");
  add_common_option(command, "--unsafe", options.unsafe);
  add_common_option(command, "--all", options.all,
                    "every entry of the suite, one after another; the same command goes on where "
                    "it was interrupted");
  add_common_option(command, "--direction", options.entry.direction,
                    "default: forward, or that of --resume or --replay");
  add_common_option(
      command, "--device", options.entry.device,
      "default: cuda where there are a GPU and a CUDA kernel of the entry, or that of "
      "--resume or --replay");
  add_common_option(command, "--gpus", options.entry.gpus);
  add_fleet_options(command, options.workers);
  command.add_option("--seed-kernel", options.seed_kernel,
                     "What to begin with: best, plain, a kernel's name or a source file; default: "
                     "best");
  add_common_option(command, "--settings", options.settings_file);
  add_common_option(command, "--set", options.assignments, "wins over the file");
  if (!tune_only) {
    command
        .add_option("--preset", options.preset,
                    "Settings to begin with: those of the robust-kbench paper, with its models")
        .one_of({"paper"});
    command.add_flag("--translate", options.translate,
                     "Have a model translate the reference first, also where the task has a plain "
                     "kernel");
    add_cap_options(command, options.cap);
  }
  command.add_flag("--schema", options.schema, "Print the JSON schema of the settings, and end");
  add_common_option(command, "--dry-run", options.dry_run);
  command.add_flag("--show-prompt", options.show_prompt,
                   "Print how a language model would be asked for the first proposal, and end");
  add_common_option(command, "--archive", options.archive);
  add_common_option(command, "--resume", options.resume);
  command.add_option("--prior", options.prior,
                     "A run of the archive whose refused proposals are not tried again");
  add_common_option(command, "--replay", options.replay);
  add_common_option(command, "--json", options.json);
}

void require_sound(const EvolveCommandOptions& options) {
  if (options.all) require_for_all(options);
  require_sound(options.workers);
  if (options.workers.is_given() && !options.entry.gpus.empty()) {
    throw UserError(
        "--gpus is about this machine; leave it out with --workers, and start a pilot "
        "for each GPU");
  }
  if (options.resume.empty() && options.replay.empty()) return;
  if (options.dry_run) {
    throw UserError("--dry-run plans a new run; leave --resume and --replay out");
  }
  if (!options.preset.empty()) {
    throw UserError("--preset is for a new run; leave it out, since a run keeps its settings");
  }
}

EvolvedEntry completed_entry(EvolvedEntry entry, const std::optional<RunRow>& known) {
  if (known) {
    const bool is_its_package =
        names_a_package(entry.task) && package_facts(entry.task).name == known->entry.task;
    if (!is_its_package) take_from(*known, "--task", known->entry.task, entry.task);
    take_from(*known, "--direction", std::string(to_string(known->entry.direction)),
              entry.direction);
    take_from(*known, "--device", std::string(to_string(known->device)), entry.device);
  }
  if (entry.task.empty()) {
    throw UserError("--task is missing; `" + own_command() +
                    " list` names the tasks, and --all means all of them");
  }
  if (entry.direction.empty()) entry.direction = "forward";
  return entry;
}

}  // namespace robust_kbench
