#pragma once

#include <string>
#include <vector>

#include "core/manifest.hpp"

namespace robust_kbench {

// The headers that a kernel is compiled with, and the libraries that it is linked with.
struct Headers {
  KernelHeaders name = KernelHeaders::shim;  // or torch
  std::vector<std::string> include_flags;
  std::vector<std::string> link_inputs;
  int timeout_factor = 1;  // how many times the usual time limit a compiler gets
};

// Only the shim's headers: no torch at compile time, at link time or in the process.
Headers shim_headers(const Toolchain& toolchain);

// Torch's own headers and libraries with the same module. `cuda` selects those of a CUDA kernel.
Headers torch_headers(const Toolchain& toolchain, bool cuda);

// Why no kernel can be compiled with torch's headers here, or empty if one can.
std::string torch_headers_missing(const Toolchain& toolchain, bool cuda);

}  // namespace robust_kbench
