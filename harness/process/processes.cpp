#include "process/processes.hpp"

#include <charconv>
#include <cstdio>
#include <string>

#include "process/proc_file.hpp"

namespace robust_kbench {
namespace {

// The fields of /proc/.../stat for a process or one of its threads.
struct Stat {
  char state = '?';
  pid_t parent = 0;
  pid_t session = 0;
  unsigned flags = 0;
  int threads = 0;

  // True if the process no longer runs code of its own.
  [[nodiscard]] bool ended() const {
    constexpr unsigned exiting = 0x4;  // Linux's PF_EXITING
    return state == 'Z' || state == 'X' || (flags & exiting) != 0;
  }
};

// Parses "pid (name) state parent group session ..." from the last parenthesis on, since the name
// may contain anything.
std::optional<Stat> stat_of(const std::string& directory) {
  const std::string text = proc_file(directory + "/stat");
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  Stat stat;
  const int fields =
      std::sscanf(text.c_str() + name_end + 1,
                  " %c %d %*d %d %*d %*d %u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %d",
                  &stat.state, &stat.parent, &stat.session, &stat.flags, &stat.threads);
  if (fields != 5) return std::nullopt;
  return stat;
}

bool has_running_thread(const std::string& directory) {
  for (const std::string& thread : proc_entries(directory + "/task")) {
    const auto stat = stat_of(directory + "/task/" + thread);
    if (stat && !stat->ended()) return true;
  }
  return false;
}

}  // namespace

std::optional<Process> find_process(pid_t pid) {
  const std::string directory = "/proc/" + std::to_string(pid);
  const auto stat = stat_of(directory);
  if (!stat) return std::nullopt;
  return Process{.pid = pid,
                 .parent = stat->parent,
                 .session = stat->session,
                 .alive = !stat->ended() || (stat->threads > 1 && has_running_thread(directory)),
                 .threads = stat->threads};
}

std::vector<Process> all_processes() {
  std::vector<Process> processes;
  for (const std::string& name : proc_entries("/proc")) {
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error != std::errc{} || end != name.data() + name.size()) continue;
    if (const auto process = find_process(pid)) processes.push_back(*process);
  }
  return processes;
}

std::vector<Process> descendants_of(pid_t ancestor, const std::vector<Process>& processes) {
  std::vector<Process> found;
  std::vector<pid_t> parents{ancestor};
  while (!parents.empty()) {
    const pid_t parent = parents.back();
    parents.pop_back();
    for (const Process& process : processes) {
      if (process.parent != parent) continue;
      found.push_back(process);
      parents.push_back(process.pid);
    }
  }
  return found;
}

}  // namespace robust_kbench
