#pragma once

#include <array>
#include <cstddef>

#include "recording/recorder_control.hpp"
#include "recording/recording.hpp"

namespace robust_kbench::recorder {

// Structures among a kernel's parameters have bytes between and behind their members, which hold
// whatever the stack held. So two calls of the same work differ in them, and by chance they look
// like addresses.
//
// Clears the bytes of such structures in which the second and the third call differ, in all three
// calls. It takes no address from their words. Calls that launch different kernels stay as they
// are. Returns the number of bytes of the third call that it cleared.
std::size_t clear_unused_bytes(std::array<RecordedSection, recorded_calls>& calls);

}  // namespace robust_kbench::recorder
