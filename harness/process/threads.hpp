#pragma once

#include <sys/types.h>

namespace robust_kbench {

// Threads of a process right now; 0 when there is none.
int thread_count(pid_t process);

// True when every thread of the process but its first waits for another thread without a time
// limit, as an idle pool does. Nothing can happen in them before the first thread goes on. False
// where the kernel does not say what a thread waits for.
bool threads_parked(pid_t process);

}  // namespace robust_kbench
