#pragma once

#include <vector>

#include "core/record.hpp"

namespace robust_kbench {

// Exit code of a command over kernels: harness_error, rejected, pass, or skipped where none ran.
int exit_code(const std::vector<Verdict>& verdicts);

// The same from the kernels' records.
int exit_code(const std::vector<KernelRecord>& records);

}  // namespace robust_kbench
