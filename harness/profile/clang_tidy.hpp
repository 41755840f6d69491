#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/manifest.hpp"
#include "core/tool_finding.hpp"

namespace robust_kbench {

// The diagnostics of clang-tidy. `what` is the name of the check. Each message comes once for each
// line. Code that clang cannot read, though the kernel's compiler can, is `clang_cannot_read`, with
// severity info.
std::vector<ToolFinding> clang_tidy_findings(std::string_view output);

// Runs clang-tidy on a kernel's sources and its own headers, not on the shim's, CUDA's or the
// system's. `flags` are those of its build (BuildRecord::flags). A CUDA source is read as the
// host's compiler sees it, device functions included. Throws UserError if clang cannot read headers
// that the kernel includes, which is not the kernel's fault. `stop` ends it by Cancelled.
std::vector<ToolFinding> run_clang_tidy(const KernelSource& kernel, const std::string& clang_tidy,
                                        const Toolchain& toolchain,
                                        const std::vector<std::string>& flags,
                                        const std::stop_token& stop = {});

}  // namespace robust_kbench
