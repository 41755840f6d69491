#pragma once

#include <sys/types.h>
#include <vector>

namespace robust_kbench {

// Threads of a process right now; 0 when there is none.
int thread_count(pid_t process);

// True when every thread of the process but its first waits for another thread without a time limit
// (an idle pool): nothing can happen there before the first thread goes on. False where the kernel
// does not say what a thread waits for.
bool threads_parked(pid_t process);

// Keeps every thread that a process has now, and what they start, on some CPUs.
void pin_threads(pid_t process, const std::vector<int>& cpus);

}  // namespace robust_kbench
