#include "compile/standard_flags.hpp"

#include "device/cuda_driver.hpp"
#include "device/target_gpu.hpp"

namespace robust_kbench {
namespace {

int architecture() {
  const int found = cuda_facts().compute_capability;
  return found > 0 ? found : target_compute_capability;
}

}  // namespace

std::vector<std::string> standard_flags(Device device, bool fast_math) {
  if (device == Device::cpu) {
    return {"-std=c++17", "-O3", "-march=native", "-fopenmp", "-fPIC", "-fvisibility=hidden"};
  }
  std::vector<std::string> flags{"-std=c++17",
                                 "-O3",
                                 "-lineinfo",
                                 "--no-compress",
                                 "--expt-relaxed-constexpr",
                                 "-D__CUDA_NO_HALF_OPERATORS__",
                                 "-D__CUDA_NO_HALF_CONVERSIONS__",
                                 "-D__CUDA_NO_BFLOAT16_CONVERSIONS__",
                                 "-D__CUDA_NO_HALF2_OPERATORS__",
                                 "-Xcompiler=-fPIC,-fvisibility=hidden",
                                 "-arch=sm_" + std::to_string(architecture())};
  if (fast_math) flags.emplace_back("--use_fast_math");
  return flags;
}

}  // namespace robust_kbench
