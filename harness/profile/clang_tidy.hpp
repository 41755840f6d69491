#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/manifest.hpp"
#include "core/tool_finding.hpp"

namespace robust_kbench {

// Diagnostics of clang-tidy: `what` is the name of the check, each message at each line once.
// What clang cannot read, though the kernel's compiler can, is severity info, `clang_cannot_read`.
std::vector<ToolFinding> clang_tidy_findings(std::string_view output);

// What clang-tidy makes of a kernel's sources and its own headers; not of the shim's, CUDA's or
// the system's. `flags`: of its build (BuildRecord::flags). A CUDA source is read as the host's
// compiler sees it, device functions included. Throws UserError where clang cannot read the headers
// that the kernel includes, which says nothing of the kernel.
std::vector<ToolFinding> run_clang_tidy(const KernelSource& kernel, const std::string& clang_tidy,
                                        const Toolchain& toolchain,
                                        const std::vector<std::string>& flags);

}  // namespace robust_kbench
