#include "exec/processes.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <dirent.h>
#include <mutex>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "core/seed.hpp"
#include "exec/proc_file.hpp"

namespace robust_kbench {
namespace {

constexpr std::chrono::seconds extermination_limit{5};

struct Registry {
  std::mutex mutex;
  std::set<pid_t> children;
  std::set<std::string> markers;  // of the families that there are
};

Registry& registry() {
  static Registry instance;
  return instance;
}

bool is_registered(pid_t pid) {
  const std::scoped_lock lock(registry().mutex);
  return registry().children.contains(pid);
}

// Whose marker stands in `environment`; empty where that is nobody's, for anybody can write one.
std::string family_of(const std::string& environment) {
  const std::scoped_lock lock(registry().mutex);
  for (const std::string& marker : registry().markers) {
    if (environment.find(marker) != std::string::npos) return marker;
  }
  return {};
}

bool contains(const std::vector<pid_t>& pids, pid_t pid) {
  return std::find(pids.begin(), pids.end(), pid) != pids.end();
}

// "pid (name) state parent group session ..."; the name may hold anything, so look from the right.
bool parse(const std::string& stat, Process& process) {
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) return false;
  constexpr unsigned pf_exiting = 0x4;
  unsigned flags = 0;
  const int fields = std::sscanf(stat.c_str() + name_end + 1, " %c %d %*d %d %*d %*d %u",
                                 &process.state, &process.parent, &process.session, &flags);
  process.exiting = (flags & pf_exiting) != 0;
  return fields == 4;
}

}  // namespace

std::vector<Process> all_processes() {
  std::vector<Process> processes;
  DIR* directory = opendir("/proc");
  if (directory == nullptr) return processes;
  while (const dirent* entry = readdir(directory)) {
    const std::string name = entry->d_name;
    Process process;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), process.pid);
    if (error != std::errc{} || end != name.data() + name.size()) continue;
    if (parse(proc_file("/proc/" + name + "/stat"), process)) processes.push_back(process);
  }
  closedir(directory);
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

pid_t register_child(const std::function<pid_t()>& fork) {
  const std::scoped_lock lock(registry().mutex);
  const pid_t pid = fork();
  if (pid > 0) registry().children.insert(pid);
  return pid;
}

void unregister_child(pid_t pid) {
  const std::scoped_lock lock(registry().mutex);
  registry().children.erase(pid);
}

std::string new_family_marker() {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "RKB_WORKER=%016llx",
                static_cast<unsigned long long>(secret_key()));
  return text.data();
}

const std::string& family_marker_of_commands() {
  static const std::string marker = [] {
    std::string made = new_family_marker();
    const std::scoped_lock lock(registry().mutex);
    registry().markers.insert(made);
    return made;
  }();
  return marker;
}

Family::Family(pid_t worker, std::string marker) : m_worker(worker), m_marker(std::move(marker)) {
  {
    const std::scoped_lock lock(registry().mutex);
    registry().markers.insert(m_marker);
  }
  for (const Process& process : all_processes()) {
    if (process.parent == getpid() && process.pid != worker) m_foreign.push_back(process.pid);
  }
}

Family::~Family() {
  const std::scoped_lock lock(registry().mutex);
  registry().markers.erase(m_marker);
}

bool Family::owns(const Process& orphan) const {
  if (is_registered(orphan.pid) || contains(m_foreign, orphan.pid)) return false;
  if (orphan.session == m_worker || contains(m_seen, orphan.pid)) return true;
  const std::string directory = "/proc/" + std::to_string(orphan.pid);
  const std::string environment = proc_file(directory + "/environ");
  // Another thread may have reaped a child of its own since `orphan` was seen.
  if (Process now; !parse(proc_file(directory + "/stat"), now)) return false;
  // An orphan that wiped or forged its environment belongs to nobody: whichever worker ends first
  // takes it.
  const std::string family = family_of(environment);
  return family.empty() || family == m_marker;
}

std::vector<Process> Family::members() {
  const std::vector<Process> processes = all_processes();
  std::vector<Process> members = descendants_of(m_worker, processes);
  for (const Process& process : processes) {
    if (process.parent != getpid() || process.pid == m_worker || !owns(process)) continue;
    members.push_back(process);
    const std::vector<Process> below = descendants_of(process.pid, processes);
    members.insert(members.end(), below.begin(), below.end());
  }
  for (const Process& process : members) {
    if (!contains(m_seen, process.pid)) m_seen.push_back(process.pid);
  }
  return members;
}

int Family::living() {
  const auto look = [this] {
    const std::vector<Process> family = members();
    return static_cast<int>(
        std::count_if(family.begin(), family.end(), [](const Process& p) { return p.alive(); }));
  };
  const int count = look();
  return count == 0 && !m_seen.empty() ? look() : count;  // it may have forked and exited meanwhile
}

int Family::exterminate() {
  std::set<pid_t> killed;
  std::set<pid_t> ended_before;  // by themselves
  bool group_was_killed = false;
  int empty_looks = 0;
  const auto deadline = std::chrono::steady_clock::now() + extermination_limit;
  while (std::chrono::steady_clock::now() < deadline) {
    // Whoever is killed leaves its children to this process, and who forks and exits all the time
    // may be missed: once there was anybody, look until nobody is there twice in a row.
    const std::vector<Process> family = members();
    empty_looks = family.empty() ? empty_looks + 1 : 0;
    if (empty_looks == (m_seen.empty() ? 1 : 2)) break;
    if (empty_looks > 0) continue;
    for (const Process& process : family) {
      if (process.alive()) kill(process.pid, SIGKILL);
      // Who was missed by the first look may have died of the signal to the group.
      const bool ours = process.alive() || (group_was_killed && process.session == m_worker);
      if (!ours) ended_before.insert(process.pid);
      if (ours && !ended_before.contains(process.pid)) killed.insert(process.pid);
      if (process.parent == getpid()) waitpid(process.pid, nullptr, WNOHANG);
    }
    group_was_killed = true;
    kill(-m_worker, SIGKILL);  // its process group, whose number it holds until it is reaped
    std::this_thread::sleep_for(std::chrono::microseconds{500});
  }
  return static_cast<int>(killed.size());
}

}  // namespace robust_kbench
