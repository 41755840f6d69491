#pragma once

#include <string_view>

namespace robust_kbench {

// The device that a kernel runs on.
enum class Device { cpu, cuda };

std::string_view to_string(Device device);
Device parse_device(std::string_view name);  // throws UserError

}  // namespace robust_kbench
