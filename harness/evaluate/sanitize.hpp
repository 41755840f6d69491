#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "evaluate/tool_log.hpp"

namespace robust_kbench {

// Calls a built CUDA kernel on every case under each of compute-sanitizer's tools. Each tool gives
// a record, named "sanitize/memcheck" and so on, which is `unsafe` where the tool found anything.
// Outputs are not compared. `compute_sanitizer` is an absolute path. Throws HarnessError where a
// tool could not run properly.
std::vector<CaseRecord> sanitize(const InspectedKernel& kernel,
                                 const std::string& compute_sanitizer,
                                 const std::vector<Case>& cases,
                                 const std::function<void(const std::string&)>& on_progress);

}  // namespace robust_kbench
