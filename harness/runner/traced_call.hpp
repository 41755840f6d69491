#pragma once

#include "ipc/trace.hpp"
#include "runner/repeatable_call.hpp"

namespace robust_kbench {

// Traces 25 calls and returns the one whose time from first start to last end is the median. Each
// begins with a cold L2 cache on an idle GPU, as timed calls do. The cache is swept while the host
// runs ahead. Throws HarnessError where the GPU fails.
Trace trace(const RepeatableCall& call);

}  // namespace robust_kbench
