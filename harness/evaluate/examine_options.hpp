#pragma once

#include "check/examiner.hpp"
#include "core/manifest.hpp"
#include "evaluate/evaluator.hpp"
#include "evaluate/shared_state.hpp"

namespace robust_kbench {

// The options of a request's tests. `scope` is the request's, with its nonce. Claimed memory is not
// set.
ExamineOptions examine_options(SharedState& shared, const KernelSource& kernel,
                               const Request& request, const Scope& scope);

}  // namespace robust_kbench
