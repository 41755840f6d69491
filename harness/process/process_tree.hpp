#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <sys/types.h>
#include <vector>

#include "process/processes.hpp"

// Tells which worker each process below this one belongs to. As a child subreaper this process
// inherits every orphan of its workers, also those that left their session or forked twice.
namespace robust_kbench {

// Held by who registers children or asks whether a process is one of them.
std::recursive_mutex& child_registration();

// Registers children that this program started on purpose, so that one worker's end never kills
// another. `fork` makes one and returns its process id, or a negative number. No other thread sees
// an unregistered child. It stays registered until it is reaped.
pid_t register_child(const std::function<pid_t()>& fork);
void unregister_child(pid_t pid);
// Calls `start`, which registers children one after another. No other thread looks at any process
// meanwhile.
template <typename Start>
auto register_children(const Start& start) {
  const std::scoped_lock lock(child_registration());
  return start();
}

// A unique environment entry, NAME=value, that marks the processes of one tree.
std::string new_process_tree_marker();

// While it lives, its command leads a session whose orphans belong to no worker. An example is the
// other half of a compiler, one half of which has failed. Orphans left after that remain known.
class CommandSession {
 public:
  explicit CommandSession(pid_t leader);
  ~CommandSession();
  CommandSession(const CommandSession&) = delete;
  CommandSession& operator=(const CommandSession&) = delete;

 private:
  pid_t m_leader;
};

// The process tree of one worker: finds what it started, however it tried to hide.
class ProcessTree {
 public:
  // `marker` is in the environment of the worker, and whatever it starts inherits that. `init` is
  // that of the worker's namespace, which gets its orphans, or 0.
  ProcessTree(pid_t worker, std::string marker, pid_t init);
  ~ProcessTree();
  ProcessTree(const ProcessTree&) = delete;
  ProcessTree& operator=(const ProcessTree&) = delete;

  // How many live processes the worker has started. Remembers them, so that they are recognised
  // once orphaned.
  int living();

  // Kills and reaps all of them until none is left, or five seconds have passed. Returns how many
  // were alive. The worker itself must have exited and not been reaped.
  int kill_all();

 private:
  std::vector<Process> members();
  // Updates `orphan` to its present state where it had to look closer.
  [[nodiscard]] bool owns(Process& orphan) const;

  pid_t m_worker;
  pid_t m_init;
  std::string m_marker;
  std::vector<pid_t> m_foreign;  // children of this process that were there before the worker
  std::vector<pid_t> m_seen;
  bool m_outlived = false;  // by some that could not be killed
};

}  // namespace robust_kbench
