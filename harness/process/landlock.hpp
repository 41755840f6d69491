#pragma once

#include "process/sandbox_policy.hpp"

namespace robust_kbench {

// The version of Landlock that the running kernel offers; 0 for none.
int landlock_version();

// Denies this process, and all that it starts, every file except the policy's. It also denies
// tracing and, from version 6, signalling a process outside the sandbox. With a /proc of its own
// all of that is readable, otherwise only this process's part. Needs "no new privileges". Throws
// HarnessError.
void restrict_files(const SandboxPolicy& policy);

}  // namespace robust_kbench
