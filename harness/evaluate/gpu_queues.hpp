#pragma once

#include "core/manifest.hpp"

namespace robust_kbench {

// The number of hardware queues that a CUDA kernel's worker requests from the driver. A context
// with 3 queues is made in half the time of one with CUDA's default of 8. Most of a race's time
// goes into making contexts.
//
// 3 queues serve the streams that CUDA has by itself (the legacy one, the thread's) and torch's
// current one. 0 stands for the default. It is for kernels whose sources name streams of their own,
// graphs, CUDA's libraries, torch's operators, or headers that are not read. A kernel that hides
// its streams is only slowed down by 3 queues.
int gpu_queues_of(const KernelSource& kernel);

}  // namespace robust_kbench
