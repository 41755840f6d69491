#pragma once

#include "core/manifest.hpp"
#include "evaluate/evaluator.hpp"
#include "evaluate/shared_state.hpp"

namespace robust_kbench {

// The kernel's name beside rivals and baselines.
inline constexpr const char* kernel_subject = "kernel";

// Throws UserError for a request that is invalid for this kernel.
void check_request(const SharedState& shared, const KernelSource& kernel, const Request& request);

}  // namespace robust_kbench
