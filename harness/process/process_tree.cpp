#include "process/process_tree.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "core/seed.hpp"
#include "process/proc_file.hpp"
#include "process/processes.hpp"

namespace robust_kbench {
namespace {

constexpr std::chrono::seconds extermination_limit{5};

struct Registry {
  std::recursive_mutex mutex;
  std::set<pid_t> children;
  std::set<pid_t> command_sessions;
  std::set<std::string> markers;  // of all process trees that exist
};

Registry& registry() {
  static Registry instance;
  return instance;
}

// True if this program, or a command that it runs, started the process.
bool is_ours(const Process& process) {
  const std::scoped_lock lock(registry().mutex);
  return registry().children.contains(process.pid) ||
         registry().command_sessions.contains(process.session);
}

// The registered marker in `environment`; empty if there is none. Other markers do not count, since
// anybody can write one.
std::string process_tree_of(const std::string& environment) {
  const std::scoped_lock lock(registry().mutex);
  for (const std::string& marker : registry().markers) {
    if (environment.find(marker) != std::string::npos) return marker;
  }
  return {};
}

bool contains(const std::vector<pid_t>& pids, pid_t pid) {
  return std::find(pids.begin(), pids.end(), pid) != pids.end();
}

}  // namespace

std::recursive_mutex& child_registration() {
  return registry().mutex;
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

std::string new_process_tree_marker() {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "RKB_WORKER=%016llx",
                static_cast<unsigned long long>(secret_key()));
  return text.data();
}

CommandSession::CommandSession(pid_t leader) : m_leader(leader) {
  const std::scoped_lock lock(registry().mutex);
  registry().command_sessions.insert(leader);
}

CommandSession::~CommandSession() {
  for (const Process& process : all_processes()) {
    if (process.session == m_leader) return;
  }
  const std::scoped_lock lock(registry().mutex);
  registry().command_sessions.erase(m_leader);
}

ProcessTree::ProcessTree(pid_t worker, std::string marker, pid_t init)
    : m_worker(worker), m_init(init), m_marker(std::move(marker)) {
  {
    const std::scoped_lock lock(registry().mutex);
    registry().markers.insert(m_marker);
  }
  for (const Process& process : all_processes()) {
    if (process.parent == getpid() && process.pid != worker) m_foreign.push_back(process.pid);
  }
}

ProcessTree::~ProcessTree() {
  if (m_outlived) return;
  const std::scoped_lock lock(registry().mutex);
  registry().markers.erase(m_marker);
}

bool ProcessTree::owns(Process& orphan) const {
  if (is_ours(orphan) || contains(m_foreign, orphan.pid)) return false;
  if (orphan.session == m_worker || contains(m_seen, orphan.pid)) return true;
  const std::string environment = proc_file("/proc/" + std::to_string(orphan.pid) + "/environ");
  // The orphan's state is read again. Another thread may have reaped it as its own child, and an
  // exiting process has an unreadable environment.
  const auto now = find_process(orphan.pid);
  if (!now) return false;
  orphan = *now;
  // An orphan that wiped or forged its environment has no known owner. It counts for the first
  // worker that is checked.
  const std::string process_tree = process_tree_of(environment);
  return process_tree.empty() || process_tree == m_marker;
}

std::vector<Process> ProcessTree::members(const std::vector<Process>& processes) {
  std::vector<Process> members = descendants_of(m_worker, processes);
  if (m_init > 0) {
    const std::vector<Process> orphans = descendants_of(m_init, processes);
    members.insert(members.end(), orphans.begin(), orphans.end());
  }
  for (Process process : processes) {
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

int ProcessTree::living() {
  const auto look = [this] {
    const std::vector<Process> process_tree = members(processes_below(getpid()));
    return static_cast<int>(std::count_if(process_tree.begin(), process_tree.end(),
                                          [](const Process& p) { return p.alive; }));
  };
  // One look may miss a child of a process that exits meanwhile.
  const int count = look();
  return count == 0 ? look() : count;
}

int ProcessTree::threads() {
  const std::optional<Process> worker = find_process(m_worker);
  int count = worker ? worker->threads : 0;
  for (const Process& process : members(processes_below(getpid()))) count += process.threads;
  return count;
}

int ProcessTree::kill_all() {
  std::set<pid_t> killed;
  std::set<pid_t> ended_before;  // ended without our signal
  bool group_was_killed = false;
  int empty_looks = 0;
  const auto deadline = std::chrono::steady_clock::now() + extermination_limit;
  while (std::chrono::steady_clock::now() < deadline) {
    // This process inherits the children of a killed process. One look may miss a process that
    // keeps forking and exiting. So once any process was found, two looks in a row have to find
    // none.
    const std::vector<Process> process_tree = members(all_processes());
    empty_looks = process_tree.empty() ? empty_looks + 1 : 0;
    m_outlived = empty_looks == 0;
    if (empty_looks == (m_seen.empty() ? 1 : 2)) break;
    if (empty_looks > 0) continue;
    for (const Process& process : process_tree) {
      kill(process.pid, SIGKILL);
      // The signal to the group may have killed a process that the first look missed.
      const bool ours = process.alive || (group_was_killed && process.session == m_worker);
      if (!ours) ended_before.insert(process.pid);
      if (ours && !ended_before.contains(process.pid)) killed.insert(process.pid);
      if (process.parent == getpid()) waitpid(process.pid, nullptr, WNOHANG);
    }
    group_was_killed = true;
    kill(-m_worker, SIGKILL);  // its process group, whose id stays its own until it is reaped
    std::this_thread::sleep_for(std::chrono::microseconds{500});
  }
  return static_cast<int>(killed.size());
}

}  // namespace robust_kbench
