#pragma once

#include <sys/types.h>

namespace robust_kbench {

// The current number of threads of a process; 0 if there is no such process.
int thread_count(pid_t process);

// True if every thread of the process but its first waits for another thread without a time limit,
// as an idle pool does. Such threads do nothing until the first thread goes on. False if the kernel
// does not reveal what a thread waits for.
bool threads_parked(pid_t process);

}  // namespace robust_kbench
