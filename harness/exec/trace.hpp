#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "device/cuda_activities.hpp"
#include "exec/repeatable_call.hpp"

namespace robust_kbench {

inline constexpr std::size_t most_traced_activities = 10'000;

// What one call makes the GPU do.
struct Trace {
  std::string missing;                   // why there is none; empty where there is
  std::vector<CudaActivity> activities;  // by their start
};

// Of 25 calls that whose time from the first start to the last end is the median. Each begins with
// a cold L2 cache, on an idle GPU that sweeps it while the host runs ahead, as timed calls do.
// Throws HarnessError where the GPU fails.
Trace trace(const RepeatableCall& call);

}  // namespace robust_kbench
