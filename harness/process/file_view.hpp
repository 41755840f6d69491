#pragma once

#include "process/sandbox_policy.hpp"

namespace robust_kbench {

// Replaces the file system in this process's mount namespace by one that has only the policy's
// paths. Only the writable paths, and temporary directories for a tool, can be written. The former
// file system remains below `outside` until close_view(), so that a /proc can be mounted meanwhile.
// Throws HarnessError.
void enter_view(const SandboxPolicy& policy);
void close_view(bool with_proc);

}  // namespace robust_kbench
