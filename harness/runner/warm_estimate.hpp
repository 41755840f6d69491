#pragma once

#include "ipc/estimate.hpp"
#include "runner/repeatable_call.hpp"

// Estimators of a call with warm caches, as the call before leaves them. They take some
// milliseconds, so that each run can afford them beside its own figures.
namespace robust_kbench {

// The time on the GPU, over all streams, of a call launched while the GPU is still busy. It is what
// robust measures, except that the L2 cache is warm.
Estimate estimate_hot(const RepeatableCall& repeatable);

// The time from the call until the host knows of its end, by the host's clock. It includes
// launching and waiting.
Estimate estimate_latency(const RepeatableCall& repeatable);

}  // namespace robust_kbench
