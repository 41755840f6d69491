#pragma once

#include "ipc/trace.hpp"
#include "runner/repeatable_call.hpp"

namespace robust_kbench {

// Traces 25 calls and returns the one with the median time from first start to last end. Each
// begins with a cold L2 cache on an idle GPU, as timed calls do. The host launches it while the GPU
// still sweeps the cache. Throws HarnessError if the GPU fails.
Trace trace(const RepeatableCall& call);

}  // namespace robust_kbench
