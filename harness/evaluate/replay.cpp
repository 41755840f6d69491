#include "evaluate/replay.hpp"

#include <filesystem>

#include "core/own_command.hpp"
#include "core/shell_word.hpp"

namespace robust_kbench {

std::string replay_command(const KernelSource& kernel) {
  std::string command = own_command() + " test --task " + kernel.entry.task + " --direction " +
                        std::string(to_string(kernel.entry.direction)) + " --kernel ";
  if (!kernel.record.empty())
    return command + shell_word(kernel.name);  // of a build, which knows the rest
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
  return command;
}

}  // namespace robust_kbench
