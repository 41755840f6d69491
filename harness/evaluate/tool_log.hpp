#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "check/inspection.hpp"
#include "core/case.hpp"
#include "core/tool_finding.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// A built CUDA kernel for a tool to examine.
struct InspectedKernel {
  const Task& task;
  const Entry& entry;
  std::string library;
  std::string entry_point;                 // the function that is called
  std::string worker;                      // absolute path of rkb_worker
  std::vector<std::string> readable = {};  // directories of its linked libraries
  std::stop_token stop = {};
};

// A tool that a worker can run under.
struct InspectingTool {
  std::vector<std::string> command;  // program and arguments, before --log-file
  std::chrono::milliseconds call_timeout;
  InspectionLock lock = InspectionLock::shared;
  // Parses its log, which is unescaped. Throws HarnessError where the log has no result.
  std::function<std::vector<ToolFinding>(std::string_view log)> parse;
};

// One of `sanitizers`. `compute_sanitizer` is an absolute path.
InspectingTool sanitizer_tool(const std::string& name, const std::string& compute_sanitizer);

struct ToolLog {
  std::vector<ToolFinding> findings;
  std::optional<InspectionEnd> end;  // the kernel's failure, if it failed
};

// Calls the kernel on every case under a tool, as inspect() does. If the kernel fails, the tool may
// write no summary, and there are no findings. In all other cases an unreadable log throws as
// `parse` does.
ToolLog log_under(const InspectingTool& tool, const InspectedKernel& kernel,
                  const std::vector<Case>& cases);

}  // namespace robust_kbench
