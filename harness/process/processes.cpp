#include "process/processes.hpp"

#include <charconv>
#include <cstdio>
#include <set>
#include <sstream>
#include <string>
#include <unistd.h>

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
  std::string name;
  unsigned long user_ticks = 0;
  unsigned long system_ticks = 0;
  long user_ticks_of_children = 0;
  long system_ticks_of_children = 0;
  long resident_pages = 0;

  // True if the process no longer runs code of its own.
  [[nodiscard]] bool ended() const {
    constexpr unsigned exiting = 0x4;  // Linux's PF_EXITING
    return state == 'Z' || state == 'X' || (flags & exiting) != 0;
  }

  [[nodiscard]] std::uint64_t resident_bytes() const {
    static const auto page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    return static_cast<std::uint64_t>(resident_pages) * page_bytes;
  }

  [[nodiscard]] std::chrono::milliseconds processor_time() const {
    static const long ticks_in_a_second = sysconf(_SC_CLK_TCK);
    const long ticks = static_cast<long>(user_ticks + system_ticks) + user_ticks_of_children +
                       system_ticks_of_children;
    return std::chrono::milliseconds{ticks * 1000 / ticks_in_a_second};
  }
};

// Parses "pid (name) state parent group session ..." from the last parenthesis on, since the name
// may contain anything.
std::optional<Stat> stat_of(const std::string& directory) {
  const std::string text = proc_file(directory + "/stat");
  const std::size_t name_begin = text.find('(') + 1;
  const std::size_t name_end = text.rfind(')');
  if (name_begin == 0 || name_end == std::string::npos) return std::nullopt;
  Stat stat;
  stat.name = text.substr(name_begin, name_end - name_begin);
  const int fields = std::sscanf(
      text.c_str() + name_end + 1,
      " %c %d %*d %d %*d %*d %u %*u %*u %*u %*u %lu %lu %ld %ld %*d %*d %d %*d %*u %*u %ld",
      &stat.state, &stat.parent, &stat.session, &stat.flags, &stat.user_ticks, &stat.system_ticks,
      &stat.user_ticks_of_children, &stat.system_ticks_of_children, &stat.threads,
      &stat.resident_pages);
  if (fields != 10) return std::nullopt;
  return stat;
}

bool has_running_thread(const std::string& directory) {
  for (const std::string& thread : proc_entries(directory + "/task")) {
    const auto stat = stat_of(directory + "/task/" + thread);
    if (stat && !stat->ended()) return true;
  }
  return false;
}

// Each thread has a list of the children that it started.
std::vector<pid_t> children_of(pid_t parent) {
  const std::string threads = "/proc/" + std::to_string(parent) + "/task";
  std::vector<pid_t> children;
  for (const std::string& thread : proc_entries(threads)) {
    std::istringstream list(proc_file(threads + "/" + thread + "/children"));
    for (pid_t child = 0; list >> child;) children.push_back(child);
  }
  return children;
}

// Linux has lists of children where it was built with CONFIG_PROC_CHILDREN.
bool has_lists_of_children() {
  static const bool has = access("/proc/thread-self/children", R_OK) == 0;
  return has;
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
                 .threads = stat->threads,
                 .name = stat->name,
                 .resident_bytes = stat->resident_bytes(),
                 .processor_time = stat->processor_time()};
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

std::vector<Process> processes_below(pid_t ancestor) {
  if (!has_lists_of_children()) return descendants_of(ancestor, all_processes());
  std::vector<Process> found;
  std::vector<pid_t> parents{ancestor};
  std::set<pid_t> known;  // a process whose parent ends is listed again, as another's child
  while (!parents.empty()) {
    const pid_t parent = parents.back();
    parents.pop_back();
    for (const pid_t child : children_of(parent)) {
      const auto process = known.insert(child).second ? find_process(child) : std::nullopt;
      if (!process) continue;
      found.push_back(*process);
      parents.push_back(child);
    }
  }
  return found;
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
