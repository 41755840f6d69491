#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace robust_kbench {

struct ToolOutput {
  int exit_code = 0;
  std::string text;  // stdout and stderr together, all of it, unescaped
};

// Runs a tool that prints much more than run_command() keeps. Throws UserError where it takes
// longer than the limit or writes more than 64 MiB, HarnessError where it cannot be started.
ToolOutput run_tool(const std::vector<std::string>& command,
                    std::chrono::seconds timeout = std::chrono::seconds{300});

}  // namespace robust_kbench
