#include "evaluate/replay.hpp"

#include <filesystem>

#include "core/own_command.hpp"
#include "core/own_config.hpp"
#include "core/shell_word.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {
namespace {

// A build knows its tasks by their names. Any other imported task is named by the copy of its
// package, which stays as it is when the task is imported again.
std::string task_word(const KernelSource& kernel, const Task& task) {
  const bool of_build = !kernel.record.empty();
  return of_build || task.package.empty() ? kernel.entry.task : path_word(task.package);
}

std::string configs_words(const Task& task, const std::vector<Config>& own) {
  std::string words;
  for (const Config& config : own) {
    words += " " + shell_word("--config=" + own_config_text(config.params, task.defaults));
  }
  return words;
}

}  // namespace

std::string replay_command(const KernelSource& kernel, const Task& task,
                           const std::vector<Config>& own) {
  std::string command = own_command() + " test --task " + task_word(kernel, task) +
                        " --direction " + std::string(to_string(kernel.entry.direction)) +
                        " --kernel ";
  // A build knows the other options.
  if (!kernel.record.empty()) return command + shell_word(kernel.name) + configs_words(task, own);
  command += path_word(kernel.sources.front());
  const auto add = [&](const std::string& option, const std::string& value) {
    command += " " + shell_word(option + value);
  };
  const auto add_path = [&](const std::string& option, const std::string& path) {
    add(option, std::filesystem::absolute(path).lexically_normal());
  };
  for (std::size_t i = 1; i < kernel.sources.size(); ++i) add_path("--source=", kernel.sources[i]);
  if (kernel.headers != KernelHeaders::automatic) {
    add("--headers=", std::string(to_string(kernel.headers)));
  }
  if (!kernel.entry_point.empty()) add("--entry=", kernel.entry_point);
  for (const std::string& directory : kernel.include_directories) add_path("--include=", directory);
  for (const std::string& definition : kernel.definitions) add("--define=", definition);
  for (const std::string& option : kernel.options) add("--option=", option);
  for (const std::string& library : kernel.libraries) {
    if (library.starts_with('-')) {
      add("--library=", library);
    } else {
      add_path("--library=", library);
    }
  }
  return command + configs_words(task, own);
}

}  // namespace robust_kbench
