#include "llm/surroundings.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <pwd.h>
#include <string_view>
#include <unistd.h>

#include "process/proc_file.hpp"
#include "process/processes.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 7> build_tools{"cmake", "ctest", "ninja", "ninja-build",
                                                      "samu",  "make",  "gmake"};

bool is_build_tool(const std::string& name) {
  return std::find(build_tools.begin(), build_tools.end(), name) != build_tools.end();
}

// The kernel's name for the program of a process.
std::string program_name(pid_t process) {
  std::string name = proc_file("/proc/" + std::to_string(process) + "/comm");
  if (!name.empty() && name.back() == '\n') name.pop_back();
  return name;
}

// Each value is copied once, so that forget_keys() leaves no copy.
std::map<std::string, std::string> variables() {
  std::map<std::string, std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t end = text.find('=');
    if (end == std::string_view::npos) continue;
    all.try_emplace(std::string(text.substr(0, end)), text.substr(end + 1));
  }
  return all;
}

// The home directory in the system's list of users, which no variable can change.
fs::path listed_home() {
  const passwd* user = getpwuid(geteuid());
  return user == nullptr ? fs::path() : fs::path(user->pw_dir);
}

fs::path configuration_directory(const Surroundings& surroundings) {
  if (!surroundings.build_tool.empty()) return listed_home() / ".config";
  fs::path named = surroundings.variable("XDG_CONFIG_HOME");
  if (named.is_absolute()) return named;
  const fs::path home = surroundings.variable("HOME");
  return (home.is_absolute() ? home : listed_home()) / ".config";
}

}  // namespace

std::string Surroundings::variable(const std::string& name) const {
  const auto found = variables.find(name);
  return found == variables.end() ? "" : found->second;
}

void Surroundings::forget_keys(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const auto found = variables.find(name);
    if (found == variables.end()) continue;
    if (!found->second.empty()) keys.insert(name);
    explicit_bzero(found->second.data(), found->second.size());
    variables.erase(found);
  }
}

Surroundings surroundings() {
  Surroundings all{.variables = variables(), .build_tool = build_tool_above(getpid())};
  all.configuration = configuration_directory(all) / "robust-kbench" / "config.json";
  return all;
}

std::string build_tool_above(pid_t process) {
  for (auto known = find_process(process); known; known = find_process(known->parent)) {
    std::string name = program_name(known->parent);
    if (is_build_tool(name)) return name;
  }
  return "";
}

}  // namespace robust_kbench
