#include "tensor/torch_cuda.hpp"

#include <dlfcn.h>
#include <string>

#include "core/error.hpp"

#include <ATen/Context.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/ones_like.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/GradMode.h>

namespace robust_kbench {
void load_torch_cuda() {
  // The program's run path holds torch's directory, where the loader finds it.
  static void* const library = dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_GLOBAL);
  // dlerror() gives the reason only once.
  static const std::string reason = library != nullptr ? "" : dlerror();
  if (library != nullptr) {
    at::globalContext().setAllowTF32CuBLAS(false);
    allow_tf32(false);
    return;
  }
  throw HarnessError(
      "torch cannot use a GPU: " + reason +
      "; give a torch with all of its CUDA libraries by RobustKBench_PYTHON or Torch_DIR");
}

void prepare_gpu_references() {
  static const bool once = [] {
    at::globalContext().setUserEnabledCuDNN(false);
    const c10::AutoGradMode with_grad(true);
    const at::Tensor x = at::ones({1}, at::TensorOptions(c10::kCUDA)).requires_grad_();
    x.mul(x).backward(at::ones_like(x));
    return true;
  }();
  (void)once;
}

void give_back_gpu_memory() {
  load_torch_cuda();
  c10::getDeviceAllocator(c10::kCUDA)->emptyCache();
}

void allow_tf32(bool allow) {
  at::globalContext().setAllowTF32CuDNN(allow);
}

}  // namespace robust_kbench
