#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "agent/agent_program.hpp"
#include "agent/all_evolutions.hpp"
#include "agent/archive/archive_json.hpp"
#include "agent/archive/archive_option.hpp"
#include "agent/archive/costs_text.hpp"
#include "agent/archive/page_of_run.hpp"
#include "agent/archive/pilots_text.hpp"
#include "agent/evolution_summary.hpp"
#include "agent/evolution_view.hpp"
#include "agent/evolve_options.hpp"
#include "agent/evolve_settings.hpp"
#include "agent/opened_runs.hpp"
#include "agent/reported_evolution.hpp"
#include "agent/translation_view.hpp"
#include "archive/archive.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/own_command.hpp"
#include "evaluate/kernels_of_others.hpp"
#include "evaluate/several_gpus.hpp"
#include "evaluate/suite.hpp"
#include "runs/evolution_run.hpp"
#include "runs/first_prompt.hpp"
#include "runs/model_run.hpp"
#include "runs/pilots/pilot_fleet.hpp"
#include "runs/pilots/source_tree.hpp"
#include "runs/run_kind.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

bool proposes_kernels_of_others(const EvolutionSettings& settings) {
  return std::ranges::any_of(settings.proposers, [](const std::string& proposer) {
    return proposer == "command" || proposer == "manual" || proposer == "llm";
  });
}

// Pilots ask the same of their own machines.
void require_sandbox(const EvolutionSettings& settings, const EvolveCommandOptions& options,
                     const Manifest& manifest, Device device) {
  if (options.unsafe || options.workers.is_given() || !proposes_kernels_of_others(settings)) return;
  require_sandbox_for_others(manifest, device);
}

std::unique_ptr<PilotFleet> pilots_of(const EvolutionSettings& settings,
                                      const EvolveCommandOptions& options, const Suite& suite,
                                      const std::stop_token& stop) {
  if (!options.workers.is_given() || !options.replay.empty()) return nullptr;
  const FleetRequest request{
      .options = options.workers,
      .requires_sandbox = !options.unsafe && proposes_kernels_of_others(settings)};
  return std::make_unique<PilotFleet>(request, source_tree_digest(suite.manifest()), stop);
}

int evolve_each(const Suite& suite, ModelUse& models, const EvolutionSettings& settings,
                const EvolveCommandOptions& options, const std::filesystem::path& directory) {
  const EvolvedEntry& entry = options.entry;
  if (!settings.report.empty()) {
    throw UserError(
        "the setting report=" + settings.report +
        " names the page of one run; with --all leave it out, and write each run's page "
        "by `rkb archive report`");
  }
  if (options.dry_run) {
    return plan_all_entries(suite, models, settings, entry);
  }
  for (const Device device : {Device::cpu, Device::cuda}) {
    if (!entry.device.empty() && parse_device(entry.device) != device) continue;
    require_sandbox(settings, options, suite.manifest(), device);
  }
  hand_keys_over(settings, options, models);
  const OutputFile json(options.json);
  OpenedRuns runs(suite, models, directory, "");
  RunContext context = runs.context();
  const std::unique_ptr<PilotFleet> fleet = pilots_of(settings, options, suite, context.stop);
  context.pilots = fleet.get();
  return evolve_all_entries(context, settings, entry, json);
}

// Prints what becomes of one run. Returns the command's exit code.
int print_end(const RunRow& row, const RunContext& context, const EvolutionSettings& settings,
              const EvolveCommandOptions& options) {
  const std::string archive = archive_words(options.archive);
  std::printf("%s", evolution_summary(row, archive, options.entry.task).c_str());
  if (context.pilots != nullptr) {
    const std::vector<PilotRow> rows = pilot_rows(context.archive.events(row.id));
    std::printf("\n%s  all of them: %s archive show %s --pilots%s\n", pilots_in_short(rows).c_str(),
                own_command().c_str(), row.id.c_str(), archive.c_str());
  }
  if (asks_models(settings)) {
    const auto calls = calls_of(context.archive, row.id);
    std::printf("\n%s", costs_text(calls).c_str());
  }
  if (row.state == RunState::ended) return ExitCode::pass;
  std::printf("%s%s\n", how_to_go_on(row, options.entry.task).c_str(), archive.c_str());
  return ExitCode::harness_error;
}

// A replay's settings are another person's, and so may the named file be. It writes no page.
std::optional<PageOfRun> page_of(const EvolutionSettings& settings,
                                 const EvolveCommandOptions& options, const AgentProgram& program,
                                 const Archive& archive) {
  if (settings.report.empty() || !options.replay.empty()) return std::nullopt;
  return std::optional<PageOfRun>(std::in_place, archive, settings.report, program);
}

// Carries out a run that is new, goes on or is replayed.
int evolve_one(const AgentProgram& program, const Suite& suite, ModelUse& models,
               const EvolutionSettings& settings, const EvolveCommandOptions& options,
               const std::filesystem::path& directory) {
  const OutputFile json(options.json);
  OpenedRuns runs(suite, models, directory, options.replay);
  hand_keys_over(settings, options, models);
  EvolutionRun evolution(suite, options.entry, settings);
  require_sandbox(settings, options, suite.manifest(), evolution.kernels().device());
  EvolutionView view(settings);
  TranslationView translation(settings.translate_attempts);
  RunContext context = runs.context();
  const std::unique_ptr<PilotFleet> fleet = pilots_of(settings, options, suite, context.stop);
  context.pilots = fleet.get();
  const std::optional<PageOfRun> page = page_of(settings, options, program, context.archive);
  ReportedEvolution reported(view, [&page](const std::string& run) {
    if (page) page->write(run);
  });
  const RunRow row = evolution.go(context, options.resume, {reported, translation});
  if (page) page->write(row.id);
  write_archive_json(json, run_json(context.archive, row.id));
  return print_end(row, context, settings, options);
}

int run_evolve(const AgentProgram& program, EvolveCommandOptions options, bool tune_only) {
  if (options.schema) {
    std::printf("%s\n", settings_schema().dump(2).c_str());
    return ExitCode::pass;
  }
  require_sound(options);
  if (options.workers.is_given()) options.entry.pilots = options.workers.pilots;
  const std::filesystem::path directory = archive_directory(program, options.archive);
  const std::optional<RunRow> known = known_run(options.resume, options.replay, directory);
  if (!options.all) options.entry = completed_entry(options.entry, known);
  if (options.entry.gpus.size() == 1) take_gpu(options.entry.gpus.front());
  const Suite suite(program.tasks, program.manifest_path);
  ModelUse models(program.helper, options.cap);
  if (options.dry_run) models.choices().only_plan();
  const EvolutionSettings settings = settings_of(options, models, known, tune_only);
  if (options.all) return evolve_each(suite, models, settings, options, directory);
  if (options.show_prompt) {
    std::printf("%s", first_prompt(models, StartKernels(suite, options.entry, settings)).c_str());
    return ExitCode::pass;
  }
  if (options.dry_run) {
    const EvolutionRun run(suite, options.entry, settings);
    run.require_program();
    (void)print_plan(run, models);
    std::printf("%s", plan_of_pilots(options.workers).c_str());
    return ExitCode::pass;
  }
  return evolve_one(program, suite, models, settings, options, directory);
}

Action add_evolution(const AgentProgram& program, CommandLine& command, bool tune_only) {
  const auto options = std::make_shared<EvolveCommandOptions>();
  add_evolve_options(command, *options, tune_only);
  return [program, options, tune_only] { return run_evolve(program, *options, tune_only); };
}

}  // namespace

Action add_evolve_command(const AgentProgram& program, CommandLine& command) {
  const auto submit = std::make_shared<Action>();
  CommandLine submit_command =
      command.add_command("submit", "Hand a kernel's source to a run that is under way");
  submit_command.when_given(
      [submit, run = add_submit_command(program, submit_command)] { *submit = run; });
  return [submit, evolve = add_evolution(program, command, false)] {
    return *submit ? (*submit)() : evolve();
  };
}

Action add_tune_command(const AgentProgram& program, CommandLine& command) {
  return add_evolution(program, command, true);
}

}  // namespace robust_kbench
