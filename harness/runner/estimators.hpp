#pragma once

#include <string>

#include "ipc/estimate.hpp"
#include "runner/repeatable_call.hpp"

namespace robust_kbench {

// Times the call by the estimator of this name. Throws HarnessError if the GPU fails, and for a
// name that is not among estimator_names.
Estimate estimate(const std::string& estimator, const RepeatableCall& call);

}  // namespace robust_kbench
