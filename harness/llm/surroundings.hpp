#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <sys/types.h>
#include <vector>

namespace robust_kbench {

// The place from which a command was started, which decides whose settings count.
struct Surroundings {
  std::map<std::string, std::string> variables;  // of the environment
  // The build tool that this process runs below, as "cmake"; empty: none. The files of a repository
  // determine which programs such a tool starts, with which arguments and variables.
  std::string build_tool;
  std::filesystem::path configuration;  // the person's file; it may be missing
  // Variables that are set and hold keys. Their values are not kept.
  std::set<std::string> keys = {};

  // Empty where there is none.
  [[nodiscard]] std::string variable(const std::string& name) const;
  // Overwrites the values of these variables, and moves their names to `keys`.
  void forget_keys(const std::vector<std::string>& names);
};

// The surroundings of this process. The configuration is
// $XDG_CONFIG_HOME/robust-kbench/config.json, else ~/.config/robust-kbench/config.json. Below a
// build tool it is found without any variable.
Surroundings surroundings();

// The nearest ancestor of a process that is a build tool; empty: none.
std::string build_tool_above(pid_t process);

}  // namespace robust_kbench
