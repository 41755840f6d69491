#pragma once

#include <cstddef>

// What is claimed of a GPU's memory (tensor/gpu_claim.hpp), by what is done there.
namespace robust_kbench {

// A kernel's worker with an arena of these bytes. The libraries that the kernel calls load code and
// want workspace beside it.
std::size_t worker_gpu_bytes(std::size_t arena_bytes);

// To examine a kernel in such a worker: beside it there are the contents and references of a case,
// and what it takes to make and to compare them.
std::size_t examination_gpu_bytes(std::size_t arena_bytes);

// To call a kernel in such a worker under a tool, which keeps notes on all memory.
std::size_t inspection_gpu_bytes(std::size_t arena_bytes);

}  // namespace robust_kbench
