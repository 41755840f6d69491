#include <cstdio>

#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupted_run.hpp"
#include "cli/kernel_names.hpp"
#include "cli/source_options.hpp"
#include "command/common_options.hpp"
#include "compile/compile.hpp"
#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "evaluate/suite.hpp"
#include "process/temporary_directory.hpp"
#include "report/progress_display.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

struct CompileCommandOptions {
  std::string task, direction, kernel, depfile, json;
  bool quick = false;
  bool no_cache = false;
  SourceOptions source;
  std::vector<std::string> files;
};

// Compiles a kernel of the build into its own place.
int compile_kernel(const Suite& suite, const CompileCommandOptions& options,
                   const std::stop_token& stop) {
  if (options.task.empty() || options.direction.empty() || options.kernel.empty()) {
    throw UserError("rkb compile needs source files, or --task, --direction and --kernel");
  }
  if (options.quick || !options.json.empty() || options.source != SourceOptions{}) {
    throw UserError(
        "--quick, --json and options of sources are for source files, not for a kernel of the "
        "build");
  }
  const KernelSource kernel =
      suite.kernels(options.task, options.direction, options.kernel).front();
  const BuildRecord record =
      compile(kernel, suite.manifest().toolchain, kernel.library,
              {.depfile = options.depfile, .cache = !options.no_cache, .stop = stop});
  OutputFile(kernel.record).write(record);
  // A kernel that does not compile fails its own tests, but never the build.
  return ExitCode::pass;
}

// Compiles source files, each as one kernel. Nobody keeps their libraries.
int compile_files(const Suite& suite, const CompileCommandOptions& options,
                  const InterruptStop& interrupt) {
  if (!options.task.empty() || !options.direction.empty() || !options.kernel.empty() ||
      !options.depfile.empty()) {
    throw UserError(
        "--task, --direction, --kernel and --depfile are for a kernel of the build, not for source "
        "files");
  }
  const OutputFile json(options.json);
  const TemporaryDirectory directory("verdicts");
  std::vector<KernelRecord> records;
  std::vector<KernelSource> kernels;
  for (const std::string& file : options.files) {
    options.source.apply_to(kernels.emplace_back(Suite::source_file("", file)));
  }
  tell_apart(kernels);
  ProgressDisplay progress;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const KernelSource& kernel = kernels[i];
    const std::string& file = options.files[i];
    KernelRecord record;
    record.path = file;
    record.name = kernel.name;
    record.entry_point = kernel.entry_point;
    record.device = kernel.device;
    const auto tell = [&](const std::string& text) {
      progress.update(file, text, static_cast<double>(i) / static_cast<double>(kernels.size()));
    };
    tell("compiling");
    try {
      record.build = compile(kernel, suite.manifest().toolchain, directory.path() / "kernel.so",
                             {.quick = options.quick,
                              .cache = !options.no_cache,
                              .stop = interrupt.token(),
                              .on_progress = tell});
    } catch (const Cancelled&) {
      break;
    }
    record.judgement = judgement_of(record);
    progress.end(file);
    std::printf("%s: %s (%.2f s%s%s)\n", file.c_str(),
                std::string(to_string(record.judgement.verdict)).c_str(),
                record.build.compile_seconds, record.build.cached ? ", cached" : "",
                record.build.headers == KernelHeaders::torch ? ", over torch's headers" : "");
    const std::string& reason = record.judgement.reason;
    if (!reason.empty()) std::printf("%s\n", reason.c_str());
    std::fflush(stdout);  // to a pipe, too, while the next file compiles
    records.push_back(std::move(record));
  }
  json.write(record_file(records));
  if (interrupt.signal() != 0) {
    const auto done = options.files.begin() + static_cast<std::ptrdiff_t>(records.size());
    return end_interrupted(interrupt, own_command_line({options.files.begin(), done}));
  }
  return exit_code(records);
}

}  // namespace

Action add_compile_command(const Program& program, CommandLine& command) {
  const auto options = std::make_shared<CompileCommandOptions>();
  add_common_option(command, "--task", options->task, "of a kernel of the build");
  add_common_option(command, "--direction", options->direction, "of a kernel of the build");
  add_common_option(command, "--kernel", options->kernel, "it is compiled into its place");
  command.add_option("--depfile", options->depfile, "Where to write what was read, for make");
  command.add_flag("--quick", options->quick,
                   "Only whether the files compile: no host code, no library");
  add_common_option(command, "--no-cache", options->no_cache);
  add_common_option(command, "--json", options->json);
  add_source_options(command, options->source);
  command.add_option("FILE", options->files, "Source files, each one kernel");
  return [program, options] {
    const InterruptStop interrupt;  // before any other thread starts
    const Suite suite(program.tasks, program.manifest_path);
    try {
      return options->files.empty() ? compile_kernel(suite, *options, interrupt.token())
                                    : compile_files(suite, *options, interrupt);
    } catch (const Cancelled&) {
      return end_interrupted(interrupt);
    }
  };
}

}  // namespace robust_kbench
