#pragma once

#include <string>

namespace robust_kbench {

// "2.11.0 at /path/of/libc10.so".
std::string torch_version();

}  // namespace robust_kbench
