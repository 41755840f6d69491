#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "archive/archive.hpp"
#include "cli/archive/archive_option.hpp"
#include "cli/archive/costs_text.hpp"
#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/kernels_of_others.hpp"
#include "cli/model_use.hpp"
#include "cli/recorded.hpp"
#include "cli/run_kind.hpp"
#include "cli/source_options.hpp"
#include "cli/suite.hpp"
#include "cli/translation_run.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/shell_word.hpp"
#include "process/escape.hpp"
#include "tensor/workload.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string task, direction = "forward", device, file, model, archive, resume, replay;
  std::vector<std::string> assignments;
  int attempts = 10;
  bool exhaust = false;
  bool unsafe = false;
  CapTexts cap;
};

EvolutionSettings settings_of(const Options& options, ModelUse& models) {
  EvolutionSettings settings;
  settings.proposers = {"llm"};
  settings.translate_attempts = options.attempts;
  settings.translate_exhaust = options.exhaust;
  if (!options.model.empty()) settings.models = {options.model};
  for (const std::string& assignment : options.assignments) apply_setting(settings, assignment);
  settings = models.resolved(settings);
  if (!asks_models(settings)) {
    throw UserError("a translation asks a language model, and none may be asked");
  }
  return settings;
}

Device device_of(const Options& options) {
  if (!options.device.empty()) return parse_device(options.device);
  return fs::path(options.file).extension() == ".cu" ? Device::cuda : Device::cpu;
}

int report(const Options& options, const RunRow& row, const OutputFile& file,
           const std::string& source) {
  const std::string task = row.entry.task;
  const std::string direction(to_string(row.entry.direction));
  if (row.state != "ended") {
    fmt::print("{}; go on with:\n  rkb translate --task {} --direction {} --resume {}{} {}\n",
               escaped_line(row.stop_reason), task, direction, row.id,
               archive_words(options.archive), shell_word(options.file));
    return ExitCode::harness_error;
  }
  if (row.winner == 0) {
    fmt::print("no attempt was right; `rkb archive show {}{}` tells why\n", row.id,
               archive_words(options.archive));
    return ExitCode::rejected;
  }
  file.write(source);
  fmt::print(
      "{} is attempt {} of run {}, a right kernel of {} {} on {}. Time it:\n"
      "  rkb evaluate --task {} --direction {} --device {} {}\n",
      options.file, row.winner, row.id, task, direction, to_string(row.device), task, direction,
      to_string(row.device), shell_word(options.file));
  return ExitCode::pass;
}

int run(const Program& program, const Options& options) {
  const Suite suite(program.tasks, program.manifest_path);
  const Task& task = suite.task(options.task);
  const Entry entry{task.name, parse_direction(options.direction)};
  (void)contract(task, entry.direction);
  if (fs::exists(fs::symlink_status(options.file))) {
    throw UserError(options.file + " exists; give a file that does not, nothing is overwritten");
  }
  require_source_name(options.file);
  const OutputFile file(options.file);  // before anything is paid
  if (!options.unsafe) {
    require_sandbox_for_others(suite.manifest(), device_of(options));
  }
  ModelUse models(program.helper, options.cap);
  const InterruptStop interrupt;  // before any other thread starts
  std::optional<EvolutionSettings> settings;
  const fs::path directory = archive_directory(program, options.archive);
  const std::unique_ptr<Recorded> replayed = recorded(options.replay, directory);
  const auto require_same = [&](const RunRow& row) {
    if (kind_of(row) == RunKind::translation && row.entry == entry &&
        row.device == device_of(options)) {
      return;
    }
    throw UserError(fmt::format("run {} does not translate {} on {}; {}", row.id, entry.name(),
                                to_string(device_of(options)), how_to_go_on(row)));
  };
  if (replayed) {
    require_same(replayed->archive.run(replayed->run.run));
    settings = translation_settings(replayed->archive, replayed->run.run);
  } else if (options.resume.empty()) {
    settings = settings_of(options, models);
  }
  Archive archive(directory, Archive::Mode::create);
  if (!options.resume.empty()) require_same(archive.run(options.resume));
  const std::string id =
      settings ? begin_translation(archive, entry, device_of(options), *settings) : options.resume;
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
  const auto options = std::make_shared<Options>();
  command.add_option("--task", options->task, "The operator whose reference is translated")
      .required();
  command.add_option("--direction", options->direction)
      .one_of({"forward", "backward"})
      .capture_default_str();
  command.add_option("--device", options->device, "Default: cpu for .cpp, cuda for .cu")
      .one_of({"cpu", "cuda"});
  command.add_option("--attempts", options->attempts, "At most so many answers are tried")
      .between(1, 1000)
      .capture_default_str();
  command.add_flag("--exhaust", options->exhaust,
                   "Go on after the first right kernel, and keep the fastest");
  command.add_option("--model", options->model,
                     "provider/name; default: that of the first provider whose key is set");
  command.add_option("--set", options->assignments,
                     "A setting of `rkb evolve` as key=value, such as error_summary=false");
  command.add_flag("--unsafe", options->unsafe,
                   "Run kernels of models where the sandbox keeps not all promises");
  add_cap_options(command, options->cap);
  add_archive_option(command, options->archive);
  command.add_option("--resume", options->resume, "Go on with this run of the archive");
  add_replay_option(command, options->replay);
  command.add_option("FILE", options->file, "The file to write, which must not exist").required();
  return [program, options] { return run(program, *options); };
}

}  // namespace robust_kbench
