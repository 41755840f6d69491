#pragma once

namespace robust_kbench {

// Denies this process, and all that it starts, calls that have effects while it is stopped, or
// could wake it. It also denies calls that reveal other workers of the same kernel. These are
// timers, signals by descriptors, file locks, shared objects of System V and POSIX, and file
// watches. Sleeping remains allowed. Needs "no new privileges". Throws HarnessError.
void refuse_what_outlasts_a_stop();

}  // namespace robust_kbench
