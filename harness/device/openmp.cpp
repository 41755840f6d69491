#include "device/openmp.hpp"

#include <dlfcn.h>

namespace robust_kbench {

void stop_openmp_threads() {
  // Which runtime torch brings, and whether it is loaded, shows only when running.
  using PauseAll = int (*)(int);
  static const auto pause_all =
      reinterpret_cast<PauseAll>(dlsym(RTLD_DEFAULT, "omp_pause_resource_all"));
  constexpr int omp_pause_hard = 2;  // OpenMP 5.0, omp_pause_resource_t
  if (pause_all != nullptr) pause_all(omp_pause_hard);
}

}  // namespace robust_kbench
