#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace robust_kbench {

struct Process {
  pid_t pid = 0;
  pid_t parent = 0;
  pid_t session = 0;
  bool alive = false;  // may still run code of its own, though its first thread may have ended
  int threads = 0;
  std::string name;                            // of its program, cut to 15 bytes
  std::uint64_t resident_bytes = 0;            // of memory, with all that it shares
  std::chrono::milliseconds processor_time{};  // of its own, and of children that it waited for
};

// Nothing if there is no such process.
std::optional<Process> find_process(pid_t pid);

// All processes in /proc.
std::vector<Process> all_processes();

// The processes below `ancestor`, at any depth. This reads Linux's lists of children where there
// are some, and so costs by their number alone. It may miss a process while others end.
std::vector<Process> processes_below(pid_t ancestor);

// The processes below `ancestor` among `processes`, at any depth.
std::vector<Process> descendants_of(pid_t ancestor, const std::vector<Process>& processes);

}  // namespace robust_kbench
