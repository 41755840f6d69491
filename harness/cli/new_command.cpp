#include <cstdio>
#include <filesystem>

#include "cli/command.hpp"
#include "command/common_options.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/own_command.hpp"
#include "evaluate/source_options.hpp"
#include "evaluate/starting_source.hpp"
#include "evaluate/suite.hpp"
#include "tensor/workload.hpp"
#include "torch_task/given_task_word.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

struct NewCommandOptions {
  std::string task, direction = "forward", device, file;
  std::string first;  // the task, where --task does not name it; else the file
};

NewCommandOptions completed(NewCommandOptions options) {
  if (options.task.empty()) {
    options.task = options.first;
  } else if (!options.first.empty()) {
    if (!options.file.empty()) {
      throw UserError("'" + options.file + "' is one file too many, since --task names the task");
    }
    options.file = options.first;
  }
  if (options.task.empty()) throw UserError("the task is missing; give it by --task");
  return options;
}

Device device_of_extension(const std::string& file) {
  return fs::path(file).extension() == ".cu" ? Device::cuda : Device::cpu;
}

int run_new(const Program& program, const NewCommandOptions& given) {
  NewCommandOptions options = completed(given);
  const Suite suite(program.tasks, program.manifest_path);
  const Task& task = suite.task(options.task);
  const Direction direction = parse_direction(options.direction);
  (void)contract(task, direction);
  if (options.file.empty()) options.file = task.name + (options.device == "cuda" ? ".cu" : ".cpp");
  const Device usual = device_of_extension(options.file);
  const Device device = options.device.empty() ? usual : parse_device(options.device);
  require_new_source(options.file);
  const StartingSource source = starting_source(suite.manifest(), task, direction, device);
  OutputFile(options.file).write(source.text);
  const std::string word = given_task_word(options.task);
  fmt::print(
      "{} is {} of {} {} on {}. Test and time it:\n  {} evaluate --task {} --direction {}{} {}\n",
      options.file, source.is_plain ? "the plain kernel" : "the skeleton of a kernel", task.name,
      to_string(direction), to_string(device), own_command(), word, to_string(direction),
      device == usual ? "" : fmt::format(" --device {}", to_string(device)),
      path_word(options.file));
  return ExitCode::pass;
}

}  // namespace

Action add_new_command(const Program& program, CommandLine& command) {
  const auto options = std::make_shared<NewCommandOptions>();
  add_common_option(command, "--direction", options->direction).capture_default_str();
  add_common_option(command, "--device", options->device, "default: cpu for .cpp, cuda for .cu");
  add_common_option(command, "--task", options->task, "or give it as TASK");
  command.add_option("TASK", options->first,
                     "The operator that the kernel is to implement, unless --task names it");
  command.add_option("FILE", options->file,
                     "The file to write, which must not exist; default: TASK.cpp, or TASK.cu");
  return [program, options] { return run_new(program, *options); };
}

}  // namespace robust_kbench
