#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/manifest.hpp"

namespace robust_kbench {

// A third-party program that analyses kernels.
struct Tool {
  std::string name;     // "ncu", "compute-sanitizer", "ptxas", "cuobjdump", "clang-tidy"
  std::string path;     // empty where it is missing
  std::string version;  // of those that print one, as they print it
  std::string missing;  // why it is not there and what brings it; empty where it is
};

// Names of those that a worker with a kernel runs below.
inline constexpr std::array tools_above_workers{"compute-sanitizer", "ncu"};

// Looks in PATH, then in the CUDA toolkit of `toolchain.nvcc`, then where NVIDIA's packages put it.
std::vector<Tool> find_tools(const Toolchain& toolchain);

// One of them. Throws HarnessError for a name that find_tools() does not know.
Tool find_tool(const std::string& name, const Toolchain& toolchain);

}  // namespace robust_kbench
