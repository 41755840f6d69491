#include "recorder/real_driver.hpp"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace robust_kbench::recorder {
namespace {

constexpr int not_supported = 801;  // CUDA_ERROR_NOT_SUPPORTED

int missing_function() {
  return not_supported;
}

void* open_driver() {
  const char* path = std::getenv(driver_variable);
  if (path == nullptr) {
    std::fprintf(stderr, "recorder: %s names no driver; set it to the path of libcuda.so.1\n",
                 driver_variable);
    return nullptr;
  }
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) std::fprintf(stderr, "recorder: %s\n", dlerror());
  return library;
}

}  // namespace

void* real_function(const char* name) {
  static void* const library = open_driver();
  void* found = library == nullptr ? nullptr : dlsym(library, name);
  return found == nullptr ? reinterpret_cast<void*>(&missing_function) : found;
}

}  // namespace robust_kbench::recorder
