#pragma once

#include <cstddef>

// GPU memory to claim (tensor/gpu_claim.hpp) for each kind of work.
namespace robust_kbench {

// For a kernel's worker with an arena of these bytes. The libraries that the kernel calls load code
// and want workspace besides it.
std::size_t worker_gpu_bytes(std::size_t arena_bytes);

// For examining a kernel in such a worker. That adds the contents and references of a case, and
// what making and comparing them takes.
std::size_t examination_gpu_bytes(std::size_t arena_bytes);

// For calling a kernel in such a worker under a tool, which shadows all memory.
std::size_t inspection_gpu_bytes(std::size_t arena_bytes);

}  // namespace robust_kbench
