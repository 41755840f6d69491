#include "tensor/torch_cuda.hpp"

#include <dlfcn.h>
#include <string>

#include "core/error.hpp"

#include <ATen/Context.h>

namespace robust_kbench {

void load_torch_cuda() {
  // Found by the run path of the program, which holds torch's directory.
  static void* const library = dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_GLOBAL);
  if (library != nullptr) {
    at::globalContext().setAllowTF32CuBLAS(false);
    allow_tf32(false);
    return;
  }
  throw HarnessError(
      std::string("torch cannot use a GPU: ") + dlerror() +
      "; give a torch with all of its CUDA libraries by RobustKBench_PYTHON or Torch_DIR");
}

void allow_tf32(bool allow) {
  at::globalContext().setAllowTF32CuDNN(allow);
}

}  // namespace robust_kbench
