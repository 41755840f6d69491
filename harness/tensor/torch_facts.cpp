#include "tensor/torch_facts.hpp"

#include <dlfcn.h>

#include <c10/core/CPUAllocator.h>
#include <torch/headeronly/version.h>

namespace robust_kbench {

std::string torch_version() {
  Dl_info info{};
  dladdr(reinterpret_cast<const void*>(&c10::GetCPUAllocator), &info);
  return std::string(TORCH_VERSION) + (info.dli_fname ? std::string(" at ") + info.dli_fname : "");
}

}  // namespace robust_kbench
