#pragma once

#include "process/sandbox_policy.hpp"

namespace robust_kbench {

// The version of Landlock's interface that the kernel offers; 0 where it offers none.
int landlock_version();

// Refuses this process, and all that it starts, every file beside those of the policy. Tracing and,
// from version 6, signalling a process that is not restricted alike is refused, too. With an own
// /proc all of that may be read, otherwise this process's own part. Needs "no new privileges".
// Throws HarnessError.
void restrict_files(const SandboxPolicy& policy);

}  // namespace robust_kbench
