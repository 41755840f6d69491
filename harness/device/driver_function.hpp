#pragma once

#include <dlfcn.h>
#include <string>

#include "core/error.hpp"

namespace robust_kbench {

// The NVIDIA driver, as dlopen() gives it; null where there is none.
inline void* driver_library() {
  static void* const handle = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  return handle;
}

// Finds a function of the driver by its name. Throws HarnessError where the driver lacks it.
template <typename Function>
void find_in_driver(Function& function, const char* name) {
  void* const library = driver_library();
  function = library == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) {
    throw HarnessError(std::string("the NVIDIA driver has no ") + name +
                       "; one for CUDA 12.5 or newer has it");
  }
}

}  // namespace robust_kbench
