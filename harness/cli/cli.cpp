#include "cli/cli.hpp"

#include <functional>

#include "baseline/baseline_worker.hpp"
#include "cli/agent_path.hpp"
#include "cli/command.hpp"
#include "cli/completion/completion_command.hpp"
#include "cli/hand_over.hpp"
#include "command/agent_commands.hpp"
#include "command/command_program.hpp"
#include "core/cache_directory.hpp"
#include "core/installation.hpp"
#include "core/program.hpp"

namespace robust_kbench {
namespace {

using AddCommand = Action (*)(const Program&, CommandLine&);
using AddImportingCommand = Action (*)(const Program&, const ImporterProgram&, CommandLine&);

// Adds the commands that --help shows, in its order.
void add_commands(CommandProgram& rkb, const ImporterProgram& importer, const PagePaths& page) {
  const auto add = [&](const char* name, const char* what, AddCommand add_command) {
    rkb.add(name, what, [&](CommandLine& command) { return add_command(rkb.program(), command); });
  };
  const auto add_importing = [&](const char* name, const char* what,
                                 AddImportingCommand add_command) {
    rkb.add(name, what,
            [&](CommandLine& command) { return add_command(rkb.program(), importer, command); });
  };
  add("doctor", "Tell what is here, what will be skipped and why", add_doctor_command);
  add("list", "List tasks, kernels and cases", add_list_command);
  add("test", "Test kernels of the build, or replay one case", add_test_command);
  add("bench", "Time kernels of the build against torch", add_bench_command);
  add_importing("evaluate", "Compile, test and time any source files, or solutions of KernelBench",
                add_evaluate_command);
  add_importing("import", "Make tasks of PyTorch modules, which it executes in a sandbox",
                add_import_command);
  add_importing("compile-baseline", "Make torch.compile packages of imported tasks, a baseline",
                add_compile_baseline_command);
  add("new", "Write a kernel to start from: a task's plain one, or a skeleton", add_new_command);
  add("profile", "Ask profilers, sanitizers and compilers about kernels, and give advice",
      add_profile_command);
  rkb.add("report", "Print stored records, or show them as a page",
          [&](CommandLine& command) { return add_report_command(rkb.program(), page, command); });
  add("compare", "Compare two measurements, or race kernels against an older git revision",
      add_compare_command);
  add("demo",
      "See what the suite does: test the kernels of the build, time some, reject a wrong one",
      add_demo_command);
  add("compile", "Compile source files, or a kernel of the build into its place",
      add_compile_command);
}

// Adds the command that this program starts itself as, for a worker of baselines.
void add_baseline_worker(CommandProgram& rkb, const std::vector<Task>& tasks) {
  CommandLine command = rkb.add("baseline-worker", "", [&tasks](CommandLine& declared) {
    const auto gpu = std::make_shared<bool>(false);
    declared.add_flag("--gpu", *gpu);
    return [&tasks, gpu] { return baseline_worker(tasks, *gpu); };
  });
  command.hide();
}

int run_rkb(int argc, char** argv, const std::vector<Task>& tasks, const ImporterProgram& importer,
            const PagePaths& page) {
  hand_over_to_agent(argc, argv);
  CommandProgram rkb(tasks);
  add_commands(rkb, importer, page);
  for (const AgentCommand& command : agent_commands) {
    // Only --help comes here, as the others are handed over.
    rkb.add(command.name, command.what, [](CommandLine&) { return Action(); });
  }
  add_completion_command(rkb);
  add_baseline_worker(rkb, tasks);
  return rkb.run(argc, argv);
}

}  // namespace

int cli_main(int argc, char** argv, const std::vector<Task>& tasks, const ImporterPaths& importer,
             const PagePaths& page) {
  return run_program("rkb", [&] {
    ImporterProgram program{importer.sources, importer.venv, agent_path()};
    if (const auto files = installed_files(); !files.empty()) {
      program.sources = files / "python";
      program.venv = cache_directory() / "importer_venv";
    }
    return run_rkb(argc, argv, tasks, program, places_of_page(page));
  });
}

}  // namespace robust_kbench
