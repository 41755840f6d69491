#pragma once

#include <chrono>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/manifest.hpp"

namespace robust_kbench {

struct ToolOutput {
  int exit_code = 0;
  std::string text;  // stdout and stderr together, all of it, unescaped
};

// Runs a tool that reads a kernel's sources and prints much more than run_command() keeps. It gets
// the sandbox and the environment of the kernel's compiler (compile/compiler_enclosure.hpp), begins
// in `scratch` and writes there alone. Throws UserError if it takes longer than the limit, exceeds
// those of compilers or writes more than 64 MiB, HarnessError if it cannot be started. Throws
// Cancelled if `stop` is requested before its end.
ToolOutput run_tool(const std::vector<std::string>& command, const KernelSource& kernel,
                    const Toolchain& toolchain, const std::filesystem::path& scratch,
                    const std::stop_token& stop = {},
                    std::chrono::seconds timeout = std::chrono::seconds{300});

}  // namespace robust_kbench
