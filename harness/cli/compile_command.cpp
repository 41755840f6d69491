#include "cli/command.hpp"
#include "cli/suite.hpp"
#include "core/error.hpp"
#include "verify/compile.hpp"

namespace robust_kbench {

Run add_compile_command(const Program& program, CLI::App& command) {
  struct Options {
    std::string task, direction, kernel, depfile;
  };
  const auto options = std::make_shared<Options>();
  command.add_option("--task", options->task)->required();
  command.add_option("--direction", options->direction)->required();
  command.add_option("--kernel", options->kernel)->required();
  command.add_option("--depfile", options->depfile, "Where to write what was read, for make");
  return [=] {
    const Suite suite(program.tasks, program.manifest_path);
    const KernelSource kernel =
        suite.kernels(options->task, options->direction, options->kernel).front();
    const BuildRecord record =
        compile(kernel, suite.manifest().toolchain, kernel.library, options->depfile);
    write_json(kernel.record, record);
    // A kernel that does not compile fails its own tests, never the build.
    return ExitCode::pass;
  };
}

}  // namespace robust_kbench
