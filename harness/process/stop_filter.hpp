#pragma once

namespace robust_kbench {

// Refuses this process, and all that it starts, what would work while it is stopped, or wake it
// then. It also refuses what tells of other workers of the same kernel. These are timers, signals
// by descriptors, locks of files, System V's and POSIX' shared objects, and watches of files.
// Sleeping remains. Needs "no new privileges". Throws HarnessError.
void refuse_what_outlasts_a_stop();

}  // namespace robust_kbench
