#pragma once

#include <optional>
#include <string>
#include <sys/resource.h>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace robust_kbench {

// How a child process begins.
struct SpawnOptions {
  std::vector<std::string> arguments;  // the first one is the program: a path, or found in PATH
  std::optional<std::vector<std::string>> environment;  // NAME=value; none: this process's own
  std::string working_directory;                        // empty: this process's own
  std::vector<std::pair<int, int>> descriptors;  // {ours, the child's}; all others are closed
  std::vector<std::pair<int, rlim_t>> limits;    // RLIMIT_*, soft and hard
  std::vector<int> cpus;                         // affinity; empty: this process's own
  bool untrusted = false;  // dies with this thread, no new privileges, first to be killed when
                           // memory runs out
};

// Starts a process in a session of its own, with default signal handlers. Its stdin is empty unless
// `descriptors` says otherwise. This process becomes the subreaper of all that it starts. Throws
// HarnessError, saying which step failed, when it cannot.
pid_t spawn(const SpawnOptions& options);

}  // namespace robust_kbench
