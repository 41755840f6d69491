#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/manifest.hpp"
#include "core/tool_finding.hpp"

namespace robust_kbench {

// The findings of ptxas -v for each __global__ function and each architecture. They are registers,
// spilled bytes, stack frame, shared and constant memory, barriers, and performance losses that it
// warns of.
std::vector<ToolFinding> ptxas_findings(std::string_view output);

// Compiles a CUDA kernel's sources once more with the flags of its build (BuildRecord::flags).
// Throws UserError if one does not compile. `stop` ends it by Cancelled.
std::vector<ToolFinding> run_ptxas(const KernelSource& kernel, const Toolchain& toolchain,
                                   const std::vector<std::string>& flags,
                                   const std::stop_token& stop = {});

}  // namespace robust_kbench
