#pragma once

#include <functional>
#include <string>

namespace robust_kbench {

class TaskRegistry;

// What a command does after parsing. It returns the exit code.
using Action = std::function<int()>;

// What a program gives to its commands.
struct Program {
  TaskRegistry& tasks;
  std::string& manifest_path;  // of --manifest; read it only when running
};

}  // namespace robust_kbench
