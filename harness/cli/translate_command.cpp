#include <cstdio>
#include <filesystem>
#include <memory>

#include "archive/archive.hpp"
#include "cli/archive/archive_option.hpp"
#include "cli/archive/costs_text.hpp"
#include "cli/command.hpp"
#include "cli/common_options.hpp"
#include "cli/evolution_run.hpp"
#include "cli/given_task_word.hpp"
#include "cli/interrupt.hpp"
#include "cli/kernels_of_others.hpp"
#include "cli/model_estimate.hpp"
#include "cli/model_use.hpp"
#include "cli/recorded.hpp"
#include "cli/run_kind.hpp"
#include "cli/same_settings.hpp"
#include "cli/translation_run.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/own_command.hpp"
#include "evaluate/source_options.hpp"
#include "evaluate/suite.hpp"
#include "process/escape.hpp"
#include "tensor/workload.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

struct TranslateCommandOptions {
  std::string task, direction, device, file, model, archive, resume, replay;
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

EvolutionSettings translate_settings(const TranslateCommandOptions& options, ModelUse& models) {
  EvolutionSettings settings;
  settings.proposers = {"llm"};
  apply_translate_options(settings, options);
  settings = models.resolved(settings);
  if (!asks_models(settings)) {
    throw UserError("a translation asks a language model, and none may be asked");
  }
  return settings;
}

// Those of a run that goes on, or is replayed. Options may only repeat them.
EvolutionSettings settings_of_translation(const Archive& archive, const std::string& run,
                                          const TranslateCommandOptions& options,
                                          ModelUse& models) {
  EvolutionSettings settings = translation_settings(archive, run);
  EvolutionSettings wanted = settings;
  apply_translate_options(wanted, options);
  require_same_settings(run, models.in_use(settings), models.in_use(std::move(wanted)));
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
  if (row.state != "ended") {
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
  models.only_plan();
  const EvolutionSettings settings = translate_settings(options, models);
  EvolutionRun run(suite,
                   {.task = options.task,
                    .direction = options.direction,
                    .device = std::string(to_string(translated_device(options))),
                    .gpus = {}},
                   settings);
  const LikelySpending likely =
      model_spending(models, settings, planned_translation(settings, run.prompt_sizes(models)));
  std::printf("Translates %s %s for %s in at most %d attempts, into %s.\n%s\n",
              options.task.c_str(), options.direction.c_str(),
              std::string(to_string(translated_device(options))).c_str(),
              settings.translate_attempts, options.file.c_str(),
              spending_sentences(models, likely, settings).c_str());
  return ExitCode::pass;
}

// What was not given of the entry is that of a run which goes on, or is replayed.
TranslateCommandOptions completed_translation(const Program& program,
                                              TranslateCommandOptions options) {
  const std::string& known = options.resume.empty() ? options.replay : options.resume;
  if (!known.empty() && options.dry_run) {
    throw UserError("--dry-run plans a new run; leave --resume and --replay out");
  }
  if (!known.empty()) {
    const RunRow row = Recorded(known, archive_directory(program, options.archive)).row();
    if (options.task.empty()) options.task = row.entry.task;
    if (options.direction.empty()) options.direction = to_string(row.entry.direction);
  }
  if (options.task.empty()) throw UserError("--task is missing; `rkb list` names the tasks");
  if (options.direction.empty()) options.direction = "forward";
  return options;
}

int run_translate(const Program& program, const TranslateCommandOptions& given) {
  const TranslateCommandOptions options = completed_translation(program, given);
  const Suite suite(program.tasks, program.manifest_path);
  const Task& task = suite.task(options.task);
  const Entry entry{task.name, parse_direction(options.direction)};
  (void)contract(task, entry.direction);
  require_new_source(options.file);
  ModelUse models(program.helper, options.cap);
  if (options.dry_run) return print_translate_plan(suite, options, models);
  const OutputFile file(options.file);  // before anything is paid
  if (!options.unsafe) {
    require_sandbox_for_others(suite.manifest(), translated_device(options));
  }
  const InterruptStop interrupt;  // before any other thread starts
  EvolutionSettings settings;
  const fs::path directory = archive_directory(program, options.archive);
  const std::unique_ptr<Recorded> replayed = recorded(options.replay, directory);
  const auto require_same = [&](const RunRow& row) {
    if (kind_of(row) == RunKind::translation && row.entry == entry &&
        row.device == translated_device(options)) {
      return;
    }
    throw UserError(fmt::format("run {} does not translate {} on {}; {}", row.id, entry.name(),
                                to_string(translated_device(options)), how_to_go_on(row)));
  };
  if (replayed) {
    require_same(replayed->archive.run(replayed->run.run));
    settings = settings_of_translation(replayed->archive, replayed->run.run, options, models);
  } else if (options.resume.empty()) {
    settings = translate_settings(options, models);
  }
  Archive archive(directory, Archive::Mode::create);
  if (!options.resume.empty()) {
    require_same(archive.run(options.resume));
    settings = settings_of_translation(archive, options.resume, options, models);
  }
  if (!replayed) models.require_askable(settings, {settings.translate_model});
  const std::string id =
      options.resume.empty()
          ? begin_translation(archive, entry, translated_device(options), settings)
          : options.resume;
  std::fprintf(stderr, "run %s in %s\n", id.c_str(), archive.directory().c_str());
  const RunRow row = translate(suite, archive, id, models, run_of(replayed), interrupt.token());
  const std::string source =
      row.winner == 0 ? "" : archive.content(archive.proposal(id, row.winner).source_hash);
  const int code = report(options, row, file, source);
  std::printf("\n%s", costs_text(models.store().calls(id)).c_str());
  return code;
}

}  // namespace

Run add_translate_command(const Program& program, CommandLine& command) {
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
  command.add_option("FILE", options->file, "The file to write, which must not exist").required();
  return [program, options] { return run_translate(program, *options); };
}

}  // namespace robust_kbench
