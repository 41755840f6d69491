#include "evaluate/replay.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace robust_kbench {
namespace {

std::string shell_word(const std::string& text) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("_./-=+:,@").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

}  // namespace

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
