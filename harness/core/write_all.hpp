#pragma once

#include <string_view>

namespace robust_kbench {

// Writes all bytes to a file descriptor. Returns 0, or the error of the system.
int write_all(int fd, std::string_view bytes);

}  // namespace robust_kbench
