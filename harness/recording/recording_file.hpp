#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// The file by which a recording gets from the worker to the broker, and from there to a replayer.
namespace robust_kbench {

// Calls of the kernel that are recorded: the first one, and two later ones that must be equal.
inline constexpr std::size_t recorded_calls = 3;

// Both throw HarnessError where the system does not let them.

// Reads only the beginning of a file that is longer than any recording.
std::string read_recording(int fd);
void write_recording(int fd, std::string_view bytes);

}  // namespace robust_kbench
