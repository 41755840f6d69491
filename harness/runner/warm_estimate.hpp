#pragma once

#include "ipc/estimate.hpp"
#include "runner/repeatable_call.hpp"

// Estimators of a call that finds in the caches what the call before it has left there. They take
// some milliseconds, so that each run can afford them beside its own figures.
namespace robust_kbench {

// The time on the GPU, on all streams, launched while the GPU is still busy: what robust measures,
// but for its cold L2 cache.
Estimate estimate_hot(const RepeatableCall& repeatable);

// From the call until the host knows of its end, by the host's clock: launching and waiting are
// part of it.
Estimate estimate_latency(const RepeatableCall& repeatable);

}  // namespace robust_kbench
