#include <cstdio>
#include <filesystem>

#include "cli/command.hpp"
#include "cli/common_options.hpp"
#include "cli/source_options.hpp"
#include "cli/suite.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/own_command.hpp"
#include "evolve/starting_source.hpp"
#include "tensor/workload.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

struct NewCommandOptions {
  std::string task, direction = "forward", device, file;
};

Device device_of_extension(const std::string& file) {
  return fs::path(file).extension() == ".cu" ? Device::cuda : Device::cpu;
}

int run_new(const Program& program, const NewCommandOptions& options) {
  const Suite suite(program.tasks, program.manifest_path);
  const Task& task = suite.task(options.task);
  const Direction direction = parse_direction(options.direction);
  (void)contract(task, direction);
  const Device usual = device_of_extension(options.file);
  const Device device = options.device.empty() ? usual : parse_device(options.device);
  require_new_source(options.file);
  const StartingSource source = starting_source(suite.manifest(), task, direction, device);
  OutputFile(options.file).write(source.text);
  fmt::print(
      "{} is {} of {} {} on {}. Test and time it:\n  {} evaluate --task {} --direction {}{} {}\n",
      options.file, source.is_plain ? "the plain kernel" : "the skeleton of a kernel", task.name,
      to_string(direction), to_string(device), own_command(), task.name, to_string(direction),
      device == usual ? "" : fmt::format(" --device {}", to_string(device)),
      path_word(options.file));
  return ExitCode::pass;
}

}  // namespace

Run add_new_command(const Program& program, CommandLine& command) {
  const auto options = std::make_shared<NewCommandOptions>();
  add_common_option(command, "--direction", options->direction).capture_default_str();
  add_common_option(command, "--device", options->device, "default: cpu for .cpp, cuda for .cu");
  command.add_option("TASK", options->task, "The operator that the kernel is to implement")
      .required();
  command.add_option("FILE", options->file, "The file to write, which must not exist").required();
  return [program, options] { return run_new(program, *options); };
}

}  // namespace robust_kbench
