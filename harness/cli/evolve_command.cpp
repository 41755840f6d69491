#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

#include "archive/archive.hpp"
#include "cli/archive/archive_option.hpp"
#include "cli/archive/costs_text.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/common_options.hpp"
#include "cli/evolution_run.hpp"
#include "cli/evolve_all.hpp"
#include "cli/interrupt.hpp"
#include "cli/kernels_of_others.hpp"
#include "cli/recorded.hpp"
#include "cli/run_kind.hpp"
#include "cli/same_settings.hpp"
#include "cli/settings_file.hpp"
#include "core/error.hpp"
#include "core/own_command.hpp"
#include "evaluate/several_gpus.hpp"
#include "evaluate/suite.hpp"
#include "evolve/preset.hpp"
#include "torch_task/package_facts.hpp"
#include "torch_task/package_files.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

struct EvolveCommandOptions {
  EvolvedEntry entry;
  std::string settings_file;
  std::vector<std::string> assignments;
  std::string seed_kernel;
  std::string archive;
  std::string resume;
  std::string replay;
  std::string prior;
  std::string preset;
  CapTexts cap;
  bool translate = false;
  bool unsafe = false;
  bool all = false;
  bool dry_run = false;
  bool show_prompt = false;
  bool schema = false;
};

void apply_options(EvolutionSettings& settings, const EvolveCommandOptions& options,
                   bool tune_only) {
  if (!options.settings_file.empty()) {
    apply_settings(settings, settings_file(options.settings_file), options.settings_file);
  }
  for (const std::string& assignment : options.assignments) apply_setting(settings, assignment);
  if (!options.seed_kernel.empty()) settings.seed_kernel = options.seed_kernel;
  if (!options.prior.empty()) settings.prior = options.prior;
  if (options.translate) settings.translate = true;
  if (tune_only) settings.proposers = {"tune"};
}

EvolutionSettings settings_of(const EvolveCommandOptions& options, ModelUse& models,
                              bool tune_only) {
  models.read_settings_of(options.settings_file);
  EvolutionSettings settings = tune_only ? EvolutionSettings() : models.preset(options.preset);
  apply_options(settings, options, tune_only);
  EvolutionSettings used = models.resolved(settings);
  // A plan without a cap is that of the run which a cap would begin.
  const bool plans_models = options.dry_run && options.preset.empty() && !tune_only &&
                            asks_models(used) && used.transport != "manual";
  if (plans_models && !models.is_default()) {
    settings = settings_with_models();
    apply_options(settings, options, tune_only);
    used = models.resolved(settings);
  }
  return used;
}

// The settings of a run that goes on are its own, and a replay has those of its recording. Options
// may only repeat them.
EvolutionSettings settings_of_run(const Archive& archive, const std::string& run,
                                  const EvolveCommandOptions& options, ModelUse& models,
                                  bool tune_only) {
  const RunRow row = archive.run(run);
  if (kind_of(row) != RunKind::evolution) {
    throw UserError("run " + run + " is no evolution; " + how_to_go_on(row));
  }
  EvolutionSettings settings;
  apply_settings(settings, row.settings, "the settings of run " + run);
  EvolutionSettings wanted = settings;
  apply_options(wanted, options, tune_only);
  require_same_settings(run, models.in_use(settings), models.in_use(std::move(wanted)));
  return settings;
}

// A program of the proposer `command` gets the key of a provider only where the person says so. A
// settings file may come from others, as may the command line below a build tool. A run that asks
// no model keeps no other key.
void hand_keys_over(const EvolutionSettings& settings, const EvolveCommandOptions& options,
                    const ModelUse& models) {
  EvolutionSettings given;
  if (models.surroundings().build_tool.empty()) {
    for (const std::string& assignment : options.assignments) {
      if (assignment.starts_with("command_environment=")) apply_setting(given, assignment);
    }
  }
  const std::vector<std::string>& own = given.command_environment;
  for (const std::string& variable : settings.command_environment) {
    if (!models.holds_key(variable) || std::ranges::find(own, variable) != own.end()) continue;
    throw UserError(fmt::format(
        "the settings give {} to a program, which holds a key of yours; to allow it, give "
        "--set 'command_environment={}' on a command line that no build tool starts",
        variable, nlohmann::json(settings.command_environment).dump()));
  }
  if (!asks_models(settings)) {
    models.drop_keys_but(own);
  } else if (std::ranges::any_of(own, [&](const auto& name) { return models.holds_key(name); })) {
    throw UserError(
        "where models are asked, the keys are theirs, and no program gets one; leave them out of "
        "command_environment, or let the program propose in a run of its own");
  }
}

// What `--all` would pass over is refused: who gives it expects more.
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

void require_sandbox(const EvolutionSettings& settings, const Manifest& manifest, Device device) {
  const auto is_from_others = [](const std::string& proposer) {
    return proposer == "command" || proposer == "manual" || proposer == "llm";
  };
  if (std::any_of(settings.proposers.begin(), settings.proposers.end(), is_from_others)) {
    require_sandbox_for_others(manifest, device);
  }
}

// What was not given of the entry is that of a run which goes on, or is replayed.
EvolveCommandOptions completed_evolution(const Program& program, EvolveCommandOptions options) {
  EvolvedEntry& entry = options.entry;
  const std::string& known = options.resume.empty() ? options.replay : options.resume;
  if (!known.empty()) {
    const RunRow row = Recorded(known, archive_directory(program, options.archive)).row();
    const bool is_its_package =
        names_a_package(entry.task) && package_facts(entry.task).name == row.entry.task;
    if (!is_its_package) take_from(row, "--task", row.entry.task, entry.task);
    take_from(row, "--direction", std::string(to_string(row.entry.direction)), entry.direction);
    take_from(row, "--device", std::string(to_string(row.device)), entry.device);
  }
  if (entry.direction.empty()) entry.direction = "forward";
  return options;
}

int run_evolve(const Program& program, const EvolveCommandOptions& given, bool tune_only) {
  if (given.schema) {
    std::printf("%s\n", settings_schema().dump(2).c_str());
    return ExitCode::pass;
  }
  if (given.all) require_for_all(given);
  const EvolveCommandOptions options = completed_evolution(program, given);
  if (options.entry.task.empty() && !options.all) {
    throw UserError("--task is missing; `" + own_command() +
                    " list` names the tasks, and --all means all of them");
  }
  if (options.entry.gpus.size() == 1) take_gpu(options.entry.gpus.front());
  const Suite suite(program.tasks, program.manifest_path);
  ModelUse models(program.helper, options.cap);
  if (options.dry_run) models.only_plan();
  const EvolutionSettings settings = settings_of(options, models, tune_only);
  const std::filesystem::path directory = archive_directory(program, options.archive);
  if (options.all && options.dry_run) {
    return plan_all(suite, models, settings, options.entry.device, options.entry.gpus);
  }
  if (options.all) {
    for (const Device device : {Device::cpu, Device::cuda}) {
      const std::string& wanted = options.entry.device;
      if (options.unsafe || (!wanted.empty() && parse_device(wanted) != device)) continue;
      require_sandbox(settings, suite.manifest(), device);
    }
    hand_keys_over(settings, options, models);
    const InterruptStop interrupt;
    Archive archive(directory, Archive::Mode::create);
    return evolve_all(suite, archive, models, settings, options.entry.device, options.entry.gpus,
                      interrupt.token());
  }
  if (options.show_prompt) {
    EvolutionRun run(suite, options.entry, settings);
    std::printf("%s", run.first_prompt_text(models).c_str());
    return ExitCode::pass;
  }
  if (options.dry_run && (!options.resume.empty() || !options.replay.empty())) {
    throw UserError("--dry-run plans a new run; leave --resume and --replay out");
  }
  if (options.dry_run) {
    EvolutionRun run(suite, options.entry, settings);
    run.require_program();
    (void)print_plan(run, models, settings);
    return ExitCode::pass;
  }
  const InterruptStop interrupt;  // before any other thread starts
  Archive archive(directory, Archive::Mode::create);
  const std::unique_ptr<Recorded> replayed = recorded(options.replay, directory);
  EvolutionSettings used = settings;
  if (!options.preset.empty() && (!options.resume.empty() || replayed)) {
    throw UserError("--preset is for a new run; leave it out, since a run keeps its settings");
  }
  if (!options.resume.empty()) {
    used = settings_of_run(archive, options.resume, options, models, tune_only);
  } else if (replayed) {
    used = settings_of_run(replayed->archive, replayed->run.run, options, models, tune_only);
  }
  hand_keys_over(used, options, models);
  EvolutionRun evolution(suite, options.entry, used);
  if (!options.unsafe) require_sandbox(used, suite.manifest(), evolution.device());
  const RunRow row =
      evolution.go(archive, models, options.resume, run_of(replayed), interrupt.token());
  std::printf(
      "%s",
      EvolutionView::summary(row, archive_words(options.archive), options.entry.task).c_str());
  if (asks_models(used)) {
    std::printf("\n%s", costs_text(calls_of(models.store(), archive, row.id)).c_str());
  }
  if (row.state == "ended") return ExitCode::pass;
  std::printf("%s%s\n", how_to_go_on(row, options.entry.task).c_str(),
              archive_words(options.archive).c_str());
  return ExitCode::harness_error;
}

Run add_evolution_options(const Program& program, CommandLine& command, bool tune_only) {
  const auto options = std::make_shared<EvolveCommandOptions>();
  add_common_option(command, "--task", options->entry.task,
                    "not needed with --resume or --replay, which know it");
  add_common_option(command, "--unsafe", options->unsafe);
  add_common_option(command, "--all", options->all,
                    "every entry of the suite, one after another; the same command goes on where "
                    "it was interrupted");
  add_common_option(command, "--direction", options->entry.direction,
                    "default: forward, or that of --resume or --replay");
  add_common_option(
      command, "--device", options->entry.device,
      "default: cuda where there are a GPU and a CUDA kernel of the entry, or that of "
      "--resume or --replay");
  add_common_option(command, "--gpus", options->entry.gpus);
  command.add_option("--seed-kernel", options->seed_kernel,
                     "What to begin with: best, plain, a kernel's name or a source file; default: "
                     "best");
  add_common_option(command, "--settings", options->settings_file);
  add_common_option(command, "--set", options->assignments, "wins over the file");
  if (!tune_only) {
    command
        .add_option("--preset", options->preset,
                    "Settings to begin with: those of the robust-kbench paper, with its models")
        .one_of({"paper"});
    command.add_flag("--translate", options->translate,
                     "Have a model translate the reference first, also where the task has a plain "
                     "kernel");
    add_cap_options(command, options->cap);
  }
  command.add_flag("--schema", options->schema, "Print the JSON schema of the settings, and end");
  add_common_option(command, "--dry-run", options->dry_run);
  command.add_flag("--show-prompt", options->show_prompt,
                   "Print how a language model would be asked for the first proposal, and end");
  add_common_option(command, "--archive", options->archive);
  add_common_option(command, "--resume", options->resume);
  command.add_option("--prior", options->prior,
                     "A run of the archive whose refused proposals are not tried again");
  add_common_option(command, "--replay", options->replay);
  return [program, options, tune_only] { return run_evolve(program, *options, tune_only); };
}

}  // namespace

Run add_evolve_command(const Program& program, CommandLine& command) {
  const auto submit = std::make_shared<Run>();
  CommandLine submit_command =
      command.add_command("submit", "Hand a kernel's source to a run that is under way");
  submit_command.when_given(
      [submit, run = add_submit_command(program, submit_command)] { *submit = run; });
  return [submit, evolve = add_evolution_options(program, command, false)] {
    return *submit ? (*submit)() : evolve();
  };
}

Run add_tune_command(const Program& program, CommandLine& command) {
  return add_evolution_options(program, command, true);
}

}  // namespace robust_kbench
