#pragma once

#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "process/processes.hpp"

// Whose the processes below this one are. As a child subreaper it inherits every orphan of its
// workers, also those that left their session or forked twice.
namespace robust_kbench {

// Children that this program started on purpose, so that one worker's end never takes another.
// `fork` makes one and returns its number, or what is negative; no other thread sees a child that
// is not registered. It stays so until it was reaped.
pid_t register_child(const std::function<pid_t()>& fork);
void unregister_child(pid_t pid);

// An environment entry, NAME=value, that tells whose process tree a process is of. No two are the
// same.
std::string new_process_tree_marker();

// While one lives its command is the leader of its session, and what that leaves there is no
// worker's: a compiler's other half, say, where one has failed. Who is left after that stays known.
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
  // `marker` is in the environment of the worker, and whatever it starts inherits that.
  ProcessTree(pid_t worker, std::string marker);
  ~ProcessTree();
  ProcessTree(const ProcessTree&) = delete;
  ProcessTree& operator=(const ProcessTree&) = delete;

  // How many live processes the worker has started. Remembers them, so that an orphan is known.
  int living();

  // Kills and reaps all of them until none is left, or five seconds have passed. Returns how many
  // were alive. The worker itself must have exited and not been reaped.
  int kill_all();

 private:
  std::vector<Process> members();
  // Where it had to look closer, `orphan` is as it is now.
  [[nodiscard]] bool owns(Process& orphan) const;

  pid_t m_worker;
  std::string m_marker;
  std::vector<pid_t> m_foreign;  // children of this process that were there before the worker
  std::vector<pid_t> m_seen;
  bool m_outlived = false;  // by some that could not be killed
};

}  // namespace robust_kbench
