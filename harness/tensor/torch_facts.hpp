#pragma once

#include <string>

namespace robust_kbench {

// Torch's version and place, such as "2.11.0 at /path/of/libc10.so".
std::string torch_version();

}  // namespace robust_kbench
