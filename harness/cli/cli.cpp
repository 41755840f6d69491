#include "cli/cli.hpp"

#include <cstdio>
#include <memory>

#include "baseline/baseline_worker.hpp"
#include "cli/command.hpp"
#include "cli/versions.hpp"
#include "core/error.hpp"
#include "core/own_command.hpp"
#include "core/program.hpp"
#include "process/heap.hpp"
#include "torch_task/imported_tasks.hpp"

namespace robust_kbench {
namespace {

int run_and_flush(const Action& action) {
  const int code = action();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw system_failure("stdout cannot be written");
  }
  return code;
}

// Adds the commands that look for faster kernels, by `add`.
template <typename Add>
void add_agent_commands(const Add& add) {
  add("evolve", "Look for a faster kernel of an entry", add_evolve_command);
  add("tune", "The same, only by other values of a kernel's tunables", add_tune_command);
  add("translate", "Have a language model write a right kernel from a reference",
      add_translate_command);
  add("verify", "Ask language models whether kernels have errors", add_verify_command);
  add("tune-verifier", "Have a language model write better instructions for a verifier",
      add_tune_verifier_command);
}

// Adds the commands that --help shows, in its order. The one that is given becomes `selected`.
void add_commands(CommandLine& command_line, const Program& program,
                  const ImporterProgram& importer, Action& selected) {
  const auto add = [&](const char* name, const char* what, auto add_command) {
    CommandLine command = command_line.add_command(name, what);
    command.when_given([&selected, run = add_command(program, command)] {
      selected = [run] {
        keep_freed_memory();
        return run();
      };
    });
  };
  const auto with_importer = [&importer](auto add_command) {
    return [&importer, add_command](const Program& of_tasks, CommandLine& command) {
      return add_command(of_tasks, importer, command);
    };
  };
  add("doctor", "Tell what is here, what will be skipped and why", add_doctor_command);
  add("list", "List tasks, kernels and cases", add_list_command);
  add("test", "Test kernels of the build, or replay one case", add_test_command);
  add("bench", "Time kernels of the build against torch", add_bench_command);
  add("evaluate", "Compile, test and time any source files, or solutions of KernelBench",
      with_importer(add_evaluate_command));
  add("import", "Make tasks of PyTorch modules, which it executes in a sandbox",
      with_importer(add_import_command));
  add("compile-baseline", "Make torch.compile packages of imported tasks, a baseline",
      with_importer(add_compile_baseline_command));
  add("new", "Write a kernel to start from: a task's plain one, or a skeleton", add_new_command);
  add("filter", "Find tasks that can be gamed", add_filter_command);
  add("serve", "Evaluate sources for other programs, which send JSON lines", add_serve_command);
  add("profile", "Ask profilers, sanitizers and compilers about kernels, and give advice",
      add_profile_command);
  add("report", "Print stored records", add_report_command);
  add("demo",
      "See what the suite does: test the kernels of the build, time some, reject a wrong one",
      add_demo_command);
  add_agent_commands(add);
  add("archive", "Show and export what evolutions have proposed", add_archive_command);
  add("compile", "Compile source files, or a kernel of the build into its place",
      add_compile_command);
}

// Adds the commands that this program starts itself as, on a GPU of several and as a worker of
// baselines.
void add_hidden_commands(CommandLine& command_line, const Program& program,
                         const std::vector<Task>& tasks, Action& selected) {
  CommandLine backend = command_line.add_command("evaluation-backend", "");
  backend.hide();
  backend.when_given(
      [&selected, run = add_evaluation_backend_command(program, backend)] { selected = run; });
  const auto gpu = std::make_shared<bool>(false);
  CommandLine baseline = command_line.add_command("baseline-worker", "");
  baseline.hide();
  baseline.add_flag("--gpu", *gpu);
  baseline.when_given([&selected, &tasks, gpu] {
    selected = [&tasks, gpu] { return baseline_worker(tasks, *gpu); };
  });
}

}  // namespace

int cli_main(int argc, char** argv, const std::vector<Task>& tasks, const HelperPaths& helper,
             const ImporterPaths& importer) {
  CommandLine command_line("rkb",
                           "Tests kernels against float64 references and times them against "
                           "torch, trusting nothing that they say.");
  std::string manifest_path;
  command_line.add_option(
      "--manifest", manifest_path,
      "Manifest of a build; default: the one of the build that this program is in");
  bool version = false;
  command_line.add_flag("--version", version,
                        "Print the versions of rkb, torch, the compiler and CUDA, and end");
  TaskRegistry registry(tasks);
  registry.look_further(imported_tasks({}));
  const HelperProgram helper_program{helper.sources, helper.venv, helper.python};
  const ImporterProgram importer_program{importer.sources, importer.venv};
  const Program program{registry, manifest_path, helper_program};

  Action selected;
  add_commands(command_line, program, importer_program, selected);
  add_hidden_commands(command_line, program, tasks, selected);
  std::vector<std::string> helped;
  CommandLine help = command_line.add_command("help", "Show the options of a command");
  help.add_option("COMMAND", helped, "The command; default: rkb itself");
  help.when_given([&] {
    selected = [&] {
      std::printf("%s", command_line.help(helped).c_str());
      return ExitCode::pass;
    };
  });

  if (const std::optional<int> exit_code = command_line.parse(argc, argv)) return *exit_code;
  if (!manifest_path.empty()) name_manifest_in_commands(manifest_path);
  if (version) {
    selected = [&] {
      std::printf("%s", versions_text(program).c_str());
      return ExitCode::pass;
    };
  }
  if (!selected) {
    std::fprintf(stderr, "rkb: a command is missing; `%s --help` lists them\n",
                 own_command().c_str());
    return ExitCode::usage;
  }
  return run_program("rkb", [&] { return run_and_flush(selected); });
}

}  // namespace robust_kbench
