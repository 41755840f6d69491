#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"
#include "core/record.hpp"
#include "profile/sanitizer.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {

// A built CUDA kernel and the programs that it takes to sanitize it.
struct SanitizedKernel {
  const Task& task;
  const Entry& entry;
  std::string library;
  std::string worker;             // absolute path of rkb_worker
  std::string compute_sanitizer;  // absolute path
};

// Calls the kernel on every case under each of compute-sanitizer's tools: a record a tool, named
// "sanitize/memcheck" and so on, `unsafe` where it found anything. Outputs are not compared. Throws
// HarnessError where a tool could not look.
std::vector<CaseRecord> sanitize(const SanitizedKernel& kernel, const std::vector<Case>& cases,
                                 const std::function<void(const std::string&)>& on_progress);

}  // namespace robust_kbench
