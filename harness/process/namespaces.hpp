#pragma once

#include <optional>
#include <sys/types.h>

#include "process/sandbox_policy.hpp"

namespace robust_kbench {

// Moves this process into the policy's namespaces. Only its children enter the process namespace.
// Throws HarnessError.
void enter_namespaces(const SandboxPolicy& policy);

struct NewProcesses {
  pid_t worker = 0;
  pid_t init = 0;
};

// Starts the process namespace: an init, and a worker beside it. The worker is a child of this
// process's own parent, which can stop, clock and wait for it as for any child. It is not process
// 1, since unhandled signals do not end that one. All of the namespace ends with init, which ends
// when the lifeline's other end is closed. Returns nothing in the worker, and the process ids in
// this process. Throws HarnessError.
std::optional<NewProcesses> start_processes(int lifeline);

}  // namespace robust_kbench
