#pragma once

namespace robust_kbench {

// From now on a fault of this process (SIGSEGV, SIGBUS, SIGFPE, SIGILL) writes a trace to stderr.
// The trace holds the fault's address and the functions that led to it. Then the signal ends the
// process. Existing handlers, such as a sanitizer's, are kept.
void trace_crashes();

}  // namespace robust_kbench
