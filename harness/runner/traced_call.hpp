#pragma once

#include "ipc/trace.hpp"
#include "runner/repeatable_call.hpp"

namespace robust_kbench {

// Of 25 calls that whose time from the first start to the last end is the median. Each begins with
// a cold L2 cache, on an idle GPU that sweeps it while the host runs ahead, as timed calls do.
// Throws HarnessError where the GPU fails.
Trace trace(const RepeatableCall& call);

}  // namespace robust_kbench
