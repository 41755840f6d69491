#include "device/cuda_driver.hpp"

#include <dlfcn.h>

namespace robust_kbench {
namespace {

CudaFacts ask_driver() {
  void* driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (driver == nullptr) return {.missing = "no NVIDIA driver (libcuda.so.1) on this machine"};
  using Init = int (*)(unsigned);
  using GetCount = int (*)(int*);
  const auto init = reinterpret_cast<Init>(dlsym(driver, "cuInit"));
  const auto get_count = reinterpret_cast<GetCount>(dlsym(driver, "cuDeviceGetCount"));
  if (init == nullptr || get_count == nullptr) {
    return {.missing = "libcuda.so.1 lacks cuInit or cuDeviceGetCount"};
  }
  if (const int error = init(0); error != 0) {
    return {.missing = "cuInit failed with CUDA error " + std::to_string(error)};
  }
  CudaFacts facts;
  get_count(&facts.device_count);
  if (facts.device_count == 0) facts.missing = "the NVIDIA driver lists no GPU";
  return facts;
}

}  // namespace

CudaFacts cuda_facts() {
  static const CudaFacts facts = ask_driver();
  return facts;
}

}  // namespace robust_kbench
