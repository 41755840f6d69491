#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "cli/command.hpp"
#include "cli/import/import_report.hpp"
#include "cli/import/import_sources.hpp"
#include "cli/shown_path.hpp"
#include "command/common_options.hpp"
#include "core/cancelled.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "evaluate/suite.hpp"
#include "process/interrupt.hpp"
#include "report/progress_display.hpp"
#include "tensor/task_registry.hpp"
#include "torch_task/package_files.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

struct ImportCommandOptions {
  ImportRequest request{.seconds = 300};
  std::string out;
  std::string json;
};

fs::path destination(const std::string& out) {
  if (!out.empty()) return fs::absolute(out);
  fs::path usual = imported_tasks_directory();
  if (usual.empty()) {
    throw UserError("imported tasks go below a home directory, and HOME is not set; give --out");
  }
  return fs::absolute(usual);
}

ImportRequest with_absolute_paths(ImportRequest request) {
  if (!request.workloads.empty()) {
    if (!fs::exists(request.workloads)) {
      throw UserError("--workloads '" + request.workloads +
                      "' does not exist; name a file of workloads, a line each");
    }
    request.workloads = fs::absolute(request.workloads).lexically_normal();
  }
  for (std::string& source : request.sources) {
    if (!fs::exists(source)) {
      throw UserError("'" + source +
                      "' does not exist; name a Python file, or a directory of them");
    }
    source = fs::absolute(source).lexically_normal();
    if (source.ends_with('/')) source.pop_back();
  }
  return request;
}

int run_import(const Program& program, const ImporterProgram& importer,
               const ImportCommandOptions& options) {
  InterruptStop interrupt;  // before any other thread starts
  const OutputFile json(options.json);
  const ImportRequest request = with_absolute_paths(options.request);
  const Suite suite(program.tasks, program.manifest_path);
  ImportPlace place{.program = importer,
                    .toolchain = suite.manifest().toolchain,
                    .out = destination(options.out),
                    .linked = {},
                    .on_listed = {}};
  for (const Task* task : suite.tasks().tasks()) place.linked.push_back(task->name);
  ProgressDisplay progress;
  std::size_t sources = 0;
  std::size_t ended = 0;
  const auto follow = [&] {
    progress.update("import", fmt::format("{} of {}", ended, counted(sources, "source")),
                    static_cast<double>(ended) / static_cast<double>(sources));
  };
  place.on_listed = [&](std::size_t count) {
    sources = count;
    follow();
  };
  const auto tell = [&](const ImportedSource& source) {
    const char* const state = source.package.empty() ? "refused"
                              : source.is_unchanged  ? "unchanged"
                                                     : "imported";
    progress.end("import", fmt::format("{}: {}", shown_path(source.source.path), state));
    if (++ended < sources) follow();
  };
  progress.update("import", "looking for sources", 0);
  std::vector<ImportedSource> imported;
  try {
    imported = import_sources(place, request, tell, interrupt.token());
  } catch (const Cancelled&) {
    return 128 + interrupt.signal();
  }
  std::printf("%s", import_text(imported).c_str());
  json.write(import_json(imported));
  const bool any_refused = std::ranges::any_of(
      imported, [](const ImportedSource& source) { return source.package.empty(); });
  return any_refused ? ExitCode::rejected : ExitCode::pass;
}

}  // namespace

Action add_import_command(const Program& program, const ImporterProgram& importer,
                          CommandLine& command) {
  const auto options = std::make_shared<ImportCommandOptions>();
  ImportRequest& request = options->request;
  add_common_option(command, "--name", request.name,
                    "for one source only; default: as the file or the folder");
  add_common_option(command, "--out", options->out,
                    "default: $ROBUST_KBENCH_TASKS, else ~/.local/share/robust_kbench/tasks, where "
                    "tasks are found by their names");
  add_common_option(command, "--config", request.configs, "they are added to the listed configs");
  add_common_option(command, "--device", request.device, "here what the module itself runs on")
      .capture_default_str();
  command.add_flag("--shrink", request.shrink, "Halve sizes until the shapes fit this machine");
  command.add_flag("--out-arguments", request.out_arguments,
                   "Have kernels write their outputs to their last arguments, and return nothing");
  command.add_option("--workloads", request.workloads,
                     "A file of workloads, which give a definition of flashinfer-bench its sizes");
  add_common_option(command, "--timeout", request.seconds).capture_default_str();
  add_common_option(command, "--json", options->json);
  command
      .add_option("SOURCE", request.sources,
                  "A robust-kbench folder, a KernelBench problem, a PyTorch module with example "
                  "inputs, or a tree of them; or a definition of flashinfer-bench. They are "
                  "executed, in a sandbox")
      .required();
  return [program, &importer, options] { return run_import(program, importer, *options); };
}

}  // namespace robust_kbench
