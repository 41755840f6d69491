#pragma once

#include <string>
#include <vector>

#include "compile/headers.hpp"
#include "core/manifest.hpp"

// What the compiler of a kernel is told.
namespace robust_kbench {

// How a compilation is tried. All of it but `included` makes one faster, so that a failure need not
// be the kernel's fault.
struct Attempt {
  std::vector<std::string> lean;      // definitions (compile/lean_headers.hpp)
  std::vector<std::string> included;  // options for headers that come first
  std::string nvcc;  // program that runs its command (compile/nvcc_halves.sh); empty: none
  std::vector<std::string> quick;  // options for the code of the GPU
  bool operator==(const Attempt&) const = default;
};

// Ours come before the kernel's.
std::vector<std::string> compile_flags(const KernelSource& kernel, const Headers& headers,
                                       const Attempt& attempt);

// Instead of -c, for the least work that finds every error in a source. nvcc checks the host code
// while it makes the device code.
std::vector<std::string> verdict_only(Device device, const std::string& source);

// What makes a shared object of the objects, which follow.
std::vector<std::string> link_flags(const KernelSource& kernel);

}  // namespace robust_kbench
