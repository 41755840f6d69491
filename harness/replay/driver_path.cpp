#include "replay/driver_path.hpp"

#include <dlfcn.h>

namespace robust_kbench {

std::string driver_path() {
  void* library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return "";
  Dl_info found{};
  void* function = dlsym(library, "cuInit");
  if (function == nullptr || dladdr(function, &found) == 0) return "";
  return found.dli_fname;
}

}  // namespace robust_kbench
