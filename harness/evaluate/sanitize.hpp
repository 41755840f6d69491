#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "evaluate/tool_log.hpp"

namespace robust_kbench {

// Calls a built CUDA kernel on every case under each of compute-sanitizer's tools: a record a tool,
// named "sanitize/memcheck" and so on, `unsafe` where it found anything. Outputs are not compared.
// `compute_sanitizer`: absolute path. Throws HarnessError where a tool could not look.
std::vector<CaseRecord> sanitize(const InspectedKernel& kernel,
                                 const std::string& compute_sanitizer,
                                 const std::vector<Case>& cases,
                                 const std::function<void(const std::string&)>& on_progress);

}  // namespace robust_kbench
