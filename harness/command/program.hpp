#pragma once

#include <functional>
#include <string>

namespace robust_kbench {

class TaskRegistry;

// Carries out a command after parsing, and returns the exit code.
using Action = std::function<int()>;

// Each command gets this from its program.
struct Program {
  TaskRegistry& tasks;
  std::string& manifest_path;  // of --manifest; read it only when running
};

}  // namespace robust_kbench
