#pragma once

#include <string>
#include <vector>

#include "compile/headers.hpp"
#include "core/manifest.hpp"

// The arguments of a kernel's compiler.
namespace robust_kbench {

// The way to try a compilation. All of it but `included` only makes one faster, so a failure need
// not be the kernel's fault.
struct Attempt {
  std::vector<std::string> lean;      // definitions (compile/lean_headers.hpp)
  std::vector<std::string> included;  // options for headers that come first
  bool is_precompiled = false;        // the header that comes first
  std::string nvcc;                   // runs nvcc's command (compile/nvcc_halves.sh); empty: none
  std::vector<std::string> quick;     // options for the code of the GPU
  bool operator==(const Attempt&) const = default;
};

const std::string& compiler_of(const Toolchain& toolchain, Device device);

// The flags of a source. Ours come before the kernel's.
std::vector<std::string> compile_flags(const KernelSource& kernel, const Headers& headers,
                                       const Attempt& attempt);

// Replaces -c, and finds every error in a source with the least work. nvcc checks the host code
// while it makes the device code.
std::vector<std::string> verdict_only(Device device, const std::string& source);

// The flags that link a shared object from the objects, which follow.
std::vector<std::string> link_flags(const KernelSource& kernel);

}  // namespace robust_kbench
