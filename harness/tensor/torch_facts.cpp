#include "tensor/torch_facts.hpp"

#include <dlfcn.h>

#include <ATen/core/Tensor.h>
#include <torch/headeronly/version.h>

namespace robust_kbench {

std::string torch_version() {
  Dl_info info{};
  dladdr(reinterpret_cast<const void*>(&at::TensorBase::print), &info);
  return std::string(TORCH_VERSION) + (info.dli_fname ? std::string(" at ") + info.dli_fname : "");
}

}  // namespace robust_kbench
