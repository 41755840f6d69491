#pragma once

namespace robust_kbench {

// Makes a fault of this process (SIGSEGV, SIGBUS, SIGFPE, SIGILL) write a trace to stderr. It has
// the fault's address and the functions that led to it. Then the signal ends the process. Existing
// handlers, such as a sanitizer's, are kept.
void trace_crashes();

}  // namespace robust_kbench
