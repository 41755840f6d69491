#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "check/inspection.hpp"
#include "core/case.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {

// A built CUDA kernel that a tool is to look at.
struct InspectedKernel {
  const Task& task;
  const Entry& entry;
  std::string library;
  std::string worker;  // absolute path of rkb_worker
};

struct ToolLog {
  std::string text;                  // unescaped; empty where the tool was killed before it wrote
  std::optional<InspectionEnd> end;  // how the kernel failed, where it did
};

// Calls the kernel on every case under a tool, as inspect() does. `tool`: the program and its
// arguments, to which --log-file is added. A call may take `timeout`.
ToolLog log_under(const InspectedKernel& kernel, std::vector<std::string> tool,
                  const std::vector<Case>& cases, std::chrono::milliseconds timeout);

}  // namespace robust_kbench
