#pragma once

#include <string>

namespace robust_kbench {

// This machine's name, or "unknown".
std::string host_name();

}  // namespace robust_kbench
