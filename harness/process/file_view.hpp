#pragma once

#include "process/sandbox_policy.hpp"

namespace robust_kbench {

// Replaces the file system of this process's namespace of mounts by one that holds what the policy
// names, at the same paths. Only the writable ones, and temporary directories of the tool's own,
// can be written. The former file system remains below `outside` until close_view(), so that a
// /proc may be mounted meanwhile. Throws HarnessError.
void enter_view(const SandboxPolicy& policy);
void close_view(bool with_proc);

}  // namespace robust_kbench
