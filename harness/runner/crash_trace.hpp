#pragma once

namespace robust_kbench {

// From now on a fault of this process (SIGSEGV, SIGBUS, SIGFPE, SIGILL) writes its address and the
// functions that led to it to stderr before the signal ends the process. Leaves handlers alone that
// are there already, as a sanitizer's.
void trace_crashes();

}  // namespace robust_kbench
