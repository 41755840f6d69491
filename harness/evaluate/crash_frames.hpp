#pragma once

#include <string>

namespace robust_kbench {

// Makes the trace in a crash's reason (ipc/crash_trace_text.hpp) readable. The kernel's frames are
// named by function, and by line where its library has line numbers. The harness's frames below
// them become one line. Other text stays as it is.
//
// `library` is the kernel's, which binutils' addr2line reads in the sandbox beside `worker`.
// The kernel's frames keep their offsets if addr2line is missing or fails.
std::string with_functions(const std::string& reason, const std::string& library,
                           const std::string& worker);

}  // namespace robust_kbench
