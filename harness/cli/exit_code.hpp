#pragma once

#include <vector>

#include "core/record.hpp"

namespace robust_kbench {

// Returns a command's exit code by the verdicts on its kernels: harness_error, rejected, pass, or
// skipped where none ran.
int exit_code(const std::vector<Verdict>& verdicts);

// Returns it by the kernels' records.
int exit_code(const std::vector<KernelRecord>& records);

}  // namespace robust_kbench
