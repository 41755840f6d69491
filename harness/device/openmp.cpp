#include "device/openmp.hpp"

#include <dlfcn.h>

namespace robust_kbench {

void stop_openmp_threads() {
  // Looked up at run time, since torch decides which OpenMP runtime is loaded, if any.
  using PauseAll = int (*)(int);
  static const auto pause_all =
      reinterpret_cast<PauseAll>(dlsym(RTLD_DEFAULT, "omp_pause_resource_all"));
  constexpr int omp_pause_hard = 2;  // OpenMP 5.0, omp_pause_resource_t
  if (pause_all != nullptr) pause_all(omp_pause_hard);
}

}  // namespace robust_kbench
