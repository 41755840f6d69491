#pragma once

#include <string>

#include "ipc/estimate.hpp"
#include "runner/repeatable_call.hpp"

namespace robust_kbench {

// What the estimator of this name says of the call. Throws HarnessError where the GPU fails, and
// for a name that is not among estimator_names.
Estimate estimate(const std::string& estimator, const RepeatableCall& call);

}  // namespace robust_kbench
