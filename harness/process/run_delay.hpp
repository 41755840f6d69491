#pragma once

#include <cstdint>
#include <sys/types.h>

namespace robust_kbench {

// Nanoseconds since its start in which a process's first thread was ready but waited for a
// processor, by the operating system. A process can lengthen this by threads of its own on the same
// processor. 0 if the kernel does not count it.
std::uint64_t run_delay_ns(pid_t process);

// The same for the calling thread.
std::uint64_t run_delay_ns();

}  // namespace robust_kbench
