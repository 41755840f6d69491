#pragma once

namespace robust_kbench {

// Memory of GPU 0 that a broker holds back for itself. CUDA loads the code of a kernel when it is
// first launched. If another process has left no memory at that moment, the launch fails. Every
// later launch of that kernel in this process then fails as well (seen with CUDA 13.0).

// Takes the reserve unless it is held already or memory is scarce. Throws HarnessError where the
// driver fails.
void hold_gpu_reserve();

// Gives the reserve back where memory is scarce. Call it before the broker launches anything.
void open_gpu_reserve();

}  // namespace robust_kbench
