#pragma once

#include <string>

namespace robust_kbench::recorder {

// The environment variable with the path of the driver's library. Its name cannot be looked up,
// since the recorder's library has it.
inline constexpr const char* driver_variable = "RKB_DRIVER";

// A function of the real driver by its exported name. Where the driver lacks it, one that returns
// CUDA_ERROR_NOT_SUPPORTED.
void* real_function(const char* name);

template <typename Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(real_function(name));
}

}  // namespace robust_kbench::recorder
