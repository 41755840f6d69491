#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <sys/types.h>

#include "core/descriptor.hpp"
#include "process/process_tree.hpp"
#include "process/spawn.hpp"

namespace robust_kbench {

// A child process and everything that it starts. None of them outlives this object.
class ChildProcess {
 public:
  // `marker` is an entry of the child's environment that only it and its descendants have.
  ChildProcess(const SpawnOptions& options, const std::string& marker);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  [[nodiscard]] pid_t pid() const { return m_pid; }
  [[nodiscard]] int pidfd() const { return m_pidfd.get(); }  // readable once it has exited
  [[nodiscard]] bool ended() const { return m_wait_status.has_value(); }

  // Waits for its own exit. False when it has not exited within `limit`.
  bool exits_within(std::chrono::milliseconds limit) const;

  // Live processes that it has started.
  int child_count() { return ended() ? 0 : m_process_tree.living(); }

  // Stops all threads of its process group, and waits until they have stopped. The wait is limited,
  // since a driver may delay it.
  void pause();
  // Resumes them. Returns how much processor time its own threads had while stopped.
  std::chrono::nanoseconds resume();

  // Kills it without waiting for its end. Any thread may call this.
  void kill() const;
  // Kills and reaps it and all that it started, unless that has been done.
  void end();
  [[nodiscard]] int wait_status() const { return *m_wait_status; }  // once ended
  // Processes that were alive when it had ended, and had to be killed.
  [[nodiscard]] int left() const { return m_left; }

 private:
  // Processor time of its threads since it began, or 0 once it has ended.
  [[nodiscard]] std::chrono::nanoseconds processor_time() const;

  Spawned m_spawned;
  pid_t m_pid;
  ProcessTree m_process_tree;
  Descriptor m_pidfd;
  std::optional<int> m_wait_status;
  // Left of what all long pauses may wait for. A system call that cannot be interrupted, as one
  // that fills memory, ends before the process stops.
  std::chrono::milliseconds m_patience{2000};
  std::optional<std::chrono::nanoseconds> m_ran_before_pause;  // while it is stopped
  int m_left = 0;
};

}  // namespace robust_kbench
