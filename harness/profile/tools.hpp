#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/manifest.hpp"

namespace robust_kbench {

// A third-party program that analyses kernels.
struct Tool {
  std::string name;     // "ncu", "compute-sanitizer", "ptxas", "cuobjdump", "clang-tidy"
  std::string path;     // empty if it is missing
  std::string version;  // as the tool prints it, if it does
  std::string missing;  // why it is missing and how to install it, else empty
};

// The names of tools under which a worker with a kernel runs.
inline constexpr std::array tools_above_workers{"compute-sanitizer", "ncu"};

// Looks in PATH, then in the CUDA toolkit of `toolchain.nvcc`, then in the directories of NVIDIA's
// packages.
std::vector<Tool> find_tools(const Toolchain& toolchain);

// Finds one tool. Throws HarnessError for a name that find_tools() does not know.
Tool find_tool(const std::string& name, const Toolchain& toolchain);

}  // namespace robust_kbench
