#pragma once

#include <cstddef>

// GPU memory to claim (tensor/gpu_claim.hpp) for each kind of work.
namespace robust_kbench {

// The demand of a kernel's worker with an arena of these bytes. The libraries that the kernel calls
// load code and use workspace besides it.
std::size_t worker_gpu_bytes(std::size_t arena_bytes);

// The demand of examining a kernel in such a worker. It adds the contents and references of a case,
// and the temporaries of making and comparing them.
std::size_t examination_gpu_bytes(std::size_t arena_bytes);

// The demand of calling a kernel in such a worker under a tool, which shadows all memory.
std::size_t inspection_gpu_bytes(std::size_t arena_bytes);

// The demand of the sanitizers that look at kernels at the same time. They call them on small
// configs.
std::size_t sanitizers_gpu_bytes();

}  // namespace robust_kbench
