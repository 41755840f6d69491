#pragma once

#include <string>

namespace robust_kbench {

// The reason of a crash with the trace in it (ipc/crash_trace_text.hpp) made readable. The kernel's
// frames are named by function, and by line where its library has that. The frames below them,
// which are the harness's, become one line. Other text stays as it is.
//
// `library` is the kernel's, which binutils' addr2line reads in the sandbox beside `worker`. Where
// addr2line is missing or fails, the kernel's frames keep their offsets.
std::string with_functions(const std::string& reason, const std::string& library,
                           const std::string& worker);

}  // namespace robust_kbench
