#pragma once

#include <string_view>

namespace robust_kbench {

// The first words of the trace that a faulting worker writes to its stderr
// (runner/crash_trace.hpp):
//
//     fault at address 0x10 in
//       kernel.so+0x3a2a forward
//       libc.so.6+0x2724a
//
// Each line below the first is a frame, the innermost first. It has the library, the offset from
// the library's start, and the name of an exported symbol, if there is one.
inline constexpr std::string_view crash_trace_begin = "fault at address 0x";

}  // namespace robust_kbench
