#include "evaluate/replay.hpp"

#include "core/shell_word.hpp"

namespace robust_kbench {

std::string replay_command(const KernelSource& kernel) {
  std::string command = "rkb test --task " + kernel.entry.task + " --direction " +
                        std::string(to_string(kernel.entry.direction)) + " --kernel ";
  if (!kernel.record.empty()) return command + kernel.name;  // of a build, which knows the rest
  command += shell_word(kernel.sources.front());
  const auto add = [&](const std::string& option, const std::string& value) {
    command += " " + shell_word(option + value);
  };
  for (std::size_t i = 1; i < kernel.sources.size(); ++i) add("--source=", kernel.sources[i]);
  if (kernel.headers != KernelHeaders::automatic) {
    add("--headers=", std::string(to_string(kernel.headers)));
  }
  for (const std::string& directory : kernel.include_directories) add("--include=", directory);
  for (const std::string& definition : kernel.definitions) add("--define=", definition);
  for (const std::string& option : kernel.options) add("--option=", option);
  for (const std::string& library : kernel.libraries) add("--library=", library);
  return command;
}

}  // namespace robust_kbench
