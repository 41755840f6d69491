#pragma once

#include <string>

namespace robust_kbench {

// The path of the library libcuda.so.1 that this process finds. Empty where there is none.
std::string driver_path();

}  // namespace robust_kbench
