#pragma once

#include <optional>
#include <sys/types.h>
#include <vector>

namespace robust_kbench {

struct Process {
  pid_t pid = 0;
  pid_t parent = 0;
  pid_t session = 0;
  bool alive = false;  // may still run code of its own, though its first thread may have ended
  int threads = 0;
};

// Nothing if there is no such process.
std::optional<Process> find_process(pid_t pid);

// All processes in /proc.
std::vector<Process> all_processes();

// The processes below `ancestor` among `processes`, at any depth.
std::vector<Process> descendants_of(pid_t ancestor, const std::vector<Process>& processes);

}  // namespace robust_kbench
