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

  // Waits for its own exit. False if it has not exited within `limit`.
  bool exits_within(std::chrono::milliseconds limit) const;

  // Live processes that it has started.
  int child_count() { return ended() ? 0 : m_process_tree.living(); }

  // Threads of its own and of all that it has started.
  int thread_count() { return ended() ? 0 : m_process_tree.threads(); }

  // Stops all threads of its process group, and waits until they have stopped. The wait is limited,
  // since a GPU driver may delay it.
  void pause();
  // Resumes its process group. Returns the processor time that its own threads used while stopped.
  std::chrono::nanoseconds resume();

  // Kills it without waiting for its end. Any thread may call this.
  void kill() const;
  // Kills and reaps it and all that it started, unless that is done already.
  void end();
  [[nodiscard]] int wait_status() const { return *m_wait_status; }  // only once it has ended
  // The number of processes that were still alive when it had ended, and had to be killed.
  [[nodiscard]] int left() const { return m_left; }

 private:
  // Processor time of its threads since its start, or 0 once it has ended.
  [[nodiscard]] std::chrono::nanoseconds processor_time() const;

  Spawned m_spawned;
  pid_t m_pid;
  ProcessTree m_process_tree;
  Descriptor m_pidfd;
  std::optional<int> m_wait_status;
  // The remaining time that all long pauses together may wait. An uninterruptible system call, such
  // as one that fills memory, has to end before the process stops.
  std::chrono::milliseconds m_patience{2000};
  std::optional<std::chrono::nanoseconds> m_ran_before_pause;  // while it is stopped
  int m_left = 0;
};

}  // namespace robust_kbench
