#pragma once

namespace robust_kbench {

// Allows this process, and all that it starts, the system calls that kernels, torch and libc need
// on a CPU. All others are denied. Some of these have effects while the process is stopped, or
// could wake it. Others reveal workers of the same kernel. Both kinds are timers, signals by
// descriptors, file locks, shared objects of System V and POSIX, and file watches. Sleeping remains
// allowed. Needs "no new privileges". Throws HarnessError.
void allow_calls_of_kernels();

}  // namespace robust_kbench
