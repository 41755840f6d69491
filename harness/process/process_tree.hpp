#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <sys/types.h>
#include <vector>

#include "process/processes.hpp"

// Determines to which worker each process below this one belongs. As a child subreaper this process
// inherits every orphan of its workers, even those that left their session or forked twice.
namespace robust_kbench {

// The mutex to hold while registering children, or asking whether a process is registered.
std::recursive_mutex& child_registration();

// Registers a child of this program, so that the end of a worker never kills it. `fork` makes one
// and returns its process id, or a negative number. No other thread sees an unregistered child. It
// stays registered until it is reaped.
pid_t register_child(const std::function<pid_t()>& fork);
void unregister_child(pid_t pid);
// Calls `start`, which registers children one after another. No other thread inspects processes
// meanwhile.
template <typename Start>
auto register_children(const Start& start) {
  const std::scoped_lock lock(child_registration());
  return start();
}

// A unique environment entry, NAME=value, that marks the processes of one tree.
std::string new_process_tree_marker();

// While an object lives, its command leads a session whose orphans belong to no worker. An example
// is a compiler's second process after its first one has failed. Orphans left after that are still
// recognised.
class CommandSession {
 public:
  explicit CommandSession(pid_t leader);
  ~CommandSession();
  CommandSession(const CommandSession&) = delete;
  CommandSession& operator=(const CommandSession&) = delete;

 private:
  pid_t m_leader;
};

// The process tree of one worker. It finds all that the worker started, however that tries to hide.
class ProcessTree {
 public:
  // `marker` is in the environment of the worker, and its children inherit it. `init` is the init
  // process of the worker's namespace, which adopts its orphans, or 0.
  ProcessTree(pid_t worker, std::string marker, pid_t init);
  ~ProcessTree();
  ProcessTree(const ProcessTree&) = delete;
  ProcessTree& operator=(const ProcessTree&) = delete;

  // The number of live processes that the worker has started. They are remembered, so that they are
  // recognised as orphans. This follows Linux's lists of children, so it costs little on a busy
  // machine. It may miss a process that starts meanwhile.
  int living();

  // The number of threads of the worker and of all that it started, found in the same way.
  int threads();

  // Kills and reaps the whole tree until none is left, or five seconds have passed. Returns how
  // many were alive. This reads all processes of the machine, and so misses none. The worker itself
  // must have exited and not been reaped.
  int kill_all();

 private:
  // The tree among `processes`.
  std::vector<Process> members(const std::vector<Process>& processes);
  // Reads the state of `orphan` again where the decision depends on it.
  [[nodiscard]] bool owns(Process& orphan) const;

  pid_t m_worker;
  pid_t m_init;
  std::string m_marker;
  std::vector<pid_t> m_foreign;  // children of this process that are older than the worker
  std::vector<pid_t> m_seen;
  bool m_outlived = false;  // some of its processes could not be killed
};

}  // namespace robust_kbench
