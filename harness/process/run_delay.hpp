#pragma once

#include <cstdint>
#include <sys/types.h>

namespace robust_kbench {

// How long a process's first thread has been ready to run while another had its processor, in
// nanoseconds since it started: the operating system's word. A process can make it longer by
// threads of its own that wait for the same processor. 0 where the kernel does not count it.
std::uint64_t run_delay_ns(pid_t process);

// The same of the calling thread.
std::uint64_t run_delay_ns();

}  // namespace robust_kbench
