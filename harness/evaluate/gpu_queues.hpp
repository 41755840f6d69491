#pragma once

#include "core/manifest.hpp"

namespace robust_kbench {

// How many hardware queues a CUDA kernel's worker asks the driver for. A context of 3 takes half as
// long to make as one of CUDA's default of 8. Most of a race goes into making contexts.
//
// 3 are for the streams that CUDA has by itself (the legacy one, the thread's) and torch's current
// one. 0 stands for the default. A kernel has it whose sources name streams of their own, graphs,
// CUDA's libraries, torch's operators, or headers that are not looked at. A kernel that hides its
// streams is only slowed down by 3.
int gpu_queues_of(const KernelSource& kernel);

}  // namespace robust_kbench
