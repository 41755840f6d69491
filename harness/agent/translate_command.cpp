#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "agent/agent_program.hpp"
#include "agent/archive/archive_json.hpp"
#include "agent/archive/archive_option.hpp"
#include "agent/archive/costs_text.hpp"
#include "agent/cap_options.hpp"
#include "agent/model_estimate.hpp"
#include "agent/opened_runs.hpp"
#include "agent/translation_view.hpp"
#include "archive/archive.hpp"
#include "command/common_options.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/own_command.hpp"
#include "evaluate/kernels_of_others.hpp"
#include "evaluate/source_options.hpp"
#include "evaluate/suite.hpp"
#include "process/escape.hpp"
#include "runs/first_prompt.hpp"
#include "runs/kept_settings.hpp"
#include "runs/likely_spending.hpp"
#include "runs/model_use.hpp"
#include "runs/run_kind.hpp"
#include "runs/translation_run.hpp"
#include "tensor/workload.hpp"
#include "torch_task/given_task_word.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

struct TranslateCommandOptions {
  std::string task, direction, device, file, model, archive, resume, replay, json;
  std::vector<std::string> assignments;
  int attempts = 0;  // 0: those of the settings
  bool exhaust = false;
  bool unsafe = false;
  bool dry_run = false;
  CapTexts cap;
};

void apply_translate_options(EvolutionSettings& settings, const TranslateCommandOptions& options) {
  if (options.attempts > 0) settings.translate_attempts = options.attempts;
  if (options.exhaust) settings.translate_exhaust = true;
  if (!options.model.empty()) settings.models = {options.model};
  for (const std::string& assignment : options.assignments) apply_setting(settings, assignment);
}

EvolutionSettings new_translate_settings(const TranslateCommandOptions& options, ModelUse& models) {
  EvolutionSettings settings;
  settings.proposers = {"llm"};
  apply_translate_options(settings, options);
  settings = models.choices().resolved(settings);
  if (!asks_models(settings)) {
    throw UserError("a translation asks a language model, and none may be asked");
  }
  return settings;
}

Device translated_device(const TranslateCommandOptions& options) {
  if (!options.device.empty()) return parse_device(options.device);
  return fs::path(options.file).extension() == ".cu" ? Device::cuda : Device::cpu;
}

int report(const TranslateCommandOptions& options, const RunRow& row, const OutputFile& file,
           const std::string& source) {
  const std::string task = given_task_word(options.task.empty() ? row.entry.task : options.task);
  const std::string direction(to_string(row.entry.direction));
  if (row.state != RunState::ended) {
    fmt::print("{}; go on with:\n  {} translate --task {} --direction {} --resume {}{} {}\n",
               escaped_line(row.stop_reason), own_command(), task, direction, row.id,
               archive_words(options.archive), path_word(options.file));
    return ExitCode::harness_error;
  }
  if (row.winner == 0) {
    fmt::print("no attempt was right; `{} archive show {}{}` tells why\n", own_command(), row.id,
               archive_words(options.archive));
    return ExitCode::rejected;
  }
  file.write(source);
  fmt::print(
      "{} is attempt {} of run {}, a right kernel of {} {} on {}. Time it:\n"
      "  {} evaluate --task {} --direction {} --device {} {}\n",
      options.file, row.winner, row.id, row.entry.task, direction, to_string(row.device),
      own_command(), task, direction, to_string(row.device), path_word(options.file));
  return ExitCode::pass;
}

int print_translate_plan(const Suite& suite, const TranslateCommandOptions& options,
                         ModelUse& models) {
  models.choices().only_plan();
  const EvolutionSettings settings = new_translate_settings(options, models);
  const std::string device(to_string(translated_device(options)));
  const StartKernels kernels(
      suite, {.task = options.task, .direction = options.direction, .device = device, .gpus = {}},
      settings);
  const LikelySpending likely = likely_spending(
      models, settings, planned_translation(settings, prompt_sizes(models, kernels)));
  std::printf("Translates %s %s for %s in at most %d attempts, into %s.\n%s\n",
              options.task.c_str(), options.direction.c_str(), device.c_str(),
              settings.translate_attempts, options.file.c_str(),
              spending_sentences(models, likely, settings).c_str());
  return ExitCode::pass;
}

// Fills in what options leave out of the entry from a run that goes on, or is replayed.
TranslateCommandOptions completed_translation(TranslateCommandOptions options,
                                              const std::optional<RunRow>& known) {
  if (known) {
    if (options.task.empty()) options.task = known->entry.task;
    if (options.direction.empty()) options.direction = to_string(known->entry.direction);
  }
  if (options.task.empty()) throw UserError("--task is missing; `rkb list` names the tasks");
  if (options.direction.empty()) options.direction = "forward";
  return options;
}

EvolutionSettings translate_settings(const TranslateCommandOptions& options, ModelUse& models,
                                     const RunSubject& subject,
                                     const std::optional<RunRow>& known) {
  if (!known) return new_translate_settings(options, models);
  require_subject(*known, subject);
  return kept_settings(*known, models.choices(), [&](EvolutionSettings& settings) {
    apply_translate_options(settings, options);
  });
}

int run_translate(const AgentProgram& program, const TranslateCommandOptions& given) {
  if (given.dry_run && !(given.resume.empty() && given.replay.empty())) {
    throw UserError("--dry-run plans a new run; leave --resume and --replay out");
  }
  const fs::path directory = archive_directory(program, given.archive);
  const std::optional<RunRow> known = known_run(given.resume, given.replay, directory);
  const TranslateCommandOptions options = completed_translation(given, known);
  const Suite suite(program.tasks, program.manifest_path);
  const Task& task = suite.task(options.task);
  const RunSubject subject{.kind = RunKind::translation,
                           .entry = {task.name, parse_direction(options.direction)},
                           .device = translated_device(options)};
  (void)contract(task, subject.entry.direction);
  require_new_source(options.file);
  ModelUse models(program.helper, options.cap);
  if (options.dry_run) return print_translate_plan(suite, options, models);
  const OutputFile file(options.file);  // before anything is paid
  const OutputFile json(options.json);
  if (!options.unsafe) require_sandbox_for_others(suite.manifest(), subject.device);
  const EvolutionSettings settings = translate_settings(options, models, subject, known);
  OpenedRuns runs(suite, models, directory, options.replay);
  const RunContext context = runs.context();
  if (!context.recorded) models.require_askable(settings, {settings.translate_model});
  const std::string id =
      options.resume.empty() ? begin_run(context.archive, subject, settings) : options.resume;
  TranslationView view(settings.translate_attempts);
  Run run(context, id, settings, view);
  run.announce();
  const RunRow row = run.until_interrupted([&] { return translate(run); });
  const std::string source =
      row.winner == 0
          ? ""
          : context.archive.content(context.archive.proposal(id, row.winner).source_hash);
  write_archive_json(json, run_json(context.archive, id));
  const int code = report(options, row, file, source);
  std::printf("\n%s", costs_text(context.archive.calls(id)).c_str());
  return code;
}

}  // namespace

Action add_translate_command(const AgentProgram& program, CommandLine& command) {
  const auto options = std::make_shared<TranslateCommandOptions>();
  add_common_option(command, "--task", options->task,
                    "not needed with --resume or --replay, which know it");
  add_common_option(command, "--direction", options->direction,
                    "default: forward, or that of --resume or --replay");
  add_common_option(command, "--device", options->device, "default: cpu for .cpp, cuda for .cu");
  command
      .add_option("--attempts", options->attempts, "At most so many answers are tried; default: 10")
      .between(1, 1000);
  command.add_flag("--exhaust", options->exhaust,
                   "Go on after the first right kernel, and keep the fastest");
  add_common_option(command, "--model", options->model,
                    "default: that of the first provider whose key is set");
  add_common_option(command, "--set", options->assignments,
                    "of `rkb evolve`, such as error_summary=false");
  add_common_option(command, "--unsafe", options->unsafe);
  add_cap_options(command, options->cap);
  add_common_option(command, "--dry-run", options->dry_run);
  add_common_option(command, "--archive", options->archive);
  add_common_option(command, "--resume", options->resume);
  add_common_option(command, "--replay", options->replay);
  add_common_option(command, "--json", options->json);
  command.add_option("FILE", options->file, "The file to write, which must not exist").required();
  return [program, options] { return run_translate(program, *options); };
}

}  // namespace robust_kbench
