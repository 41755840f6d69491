#pragma once

#include <optional>
#include <string>
#include <sys/resource.h>
#include <sys/types.h>
#include <utility>
#include <vector>

#include "core/descriptor.hpp"
#include "process/sandbox_policy.hpp"

namespace robust_kbench {

// The sandbox program, and the policy that it enforces on another program.
struct Enclosure {
  std::string program;  // absolute path of rkb_sandbox
  SandboxPolicy policy;
};

// The program, environment and restrictions of a new child process.
struct SpawnOptions {
  std::vector<std::string> arguments;  // the first one is the program: a path, or found in PATH
  std::optional<std::vector<std::string>> environment;  // NAME=value; none: this process's own
  std::string working_directory;                        // empty: this process's own
  std::vector<std::pair<int, int>> descriptors;  // {ours, the child's}; all others are closed
  std::vector<std::pair<int, rlim_t>> limits;    // RLIMIT_*, soft and hard
  std::vector<int> cpus;                         // affinity; empty: this process's own
  bool untrusted = false;  // dies with this thread, no new privileges, first to be killed when
                           // memory runs out
  // Takes the capability to trace from a root process. It cannot read the memory of processes that
  // are not dumpable then.
  bool traces_nobody = false;
  std::optional<Enclosure> sandbox = {};
};

struct Spawned {
  pid_t pid = 0;
  // With a process namespace: its init, a child of this process. When init is killed, or the
  // lifeline is closed, the whole namespace ends.
  pid_t init = 0;
  Descriptor lifeline = {};
};

// Starts a process in a session of its own, with default signal handlers. Its stdin is empty unless
// `descriptors` says otherwise. This process becomes the subreaper of all that it starts. Throws
// HarnessError that names the failed step.
Spawned spawn(const SpawnOptions& options);

}  // namespace robust_kbench
