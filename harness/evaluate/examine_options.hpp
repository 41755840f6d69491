#pragma once

#include "check/examiner.hpp"
#include "core/manifest.hpp"
#include "evaluate/evaluator.hpp"
#include "evaluate/shared_state.hpp"

namespace robust_kbench {

// How a request has its kernel tested. `scope` is the request's, with its nonce. Nothing is said of
// claimed memory.
ExamineOptions examine_options(SharedState& shared, const KernelSource& kernel,
                               const Request& request, const Scope& scope);

}  // namespace robust_kbench
