#pragma once

#include "ipc/estimate.hpp"
#include "runner/repeatable_call.hpp"

// Estimators of a call with warm caches, as the previous call leaves them. They take only
// milliseconds, so that each run can afford them.
namespace robust_kbench {

// The time on all streams of the GPU of a call that is launched while the GPU is still busy.
// `robust` measures the same with a cold L2 cache.
Estimate estimate_hot(const RepeatableCall& repeatable);

// The time from the call until the host learns of its end, by the host's clock. It includes
// launching and waiting.
Estimate estimate_latency(const RepeatableCall& repeatable);

}  // namespace robust_kbench
