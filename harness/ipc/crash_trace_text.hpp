#pragma once

#include <string_view>

namespace robust_kbench {

// How the trace begins that a worker writes to its stderr when it faults (runner/crash_trace.hpp):
//
//     fault at address 0x10 in
//       kernel.so+0x3a2a forward
//       libc.so.6+0x2724a
//
// Each line below the first is a frame, the innermost first. It has the library, the offset from
// where that was loaded, and the name of a symbol that other libraries see, if there is one.
inline constexpr std::string_view crash_trace_begin = "fault at address 0x";

}  // namespace robust_kbench
