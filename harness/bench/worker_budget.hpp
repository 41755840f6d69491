#pragma once

#include <cstddef>
#include <optional>

#include "bench/bench.hpp"

namespace robust_kbench {

// What the workers of a BenchSession get, which live beside each other.
struct WorkerBudget {
  std::size_t kernel_arena_bytes = 0;
  std::size_t baseline_arena_bytes = 0;
  int workers = 0;  // of each kernel, and of all baselines together
};

// For `kernels` kernels and their baselines, which share workers. `one_call_bytes`: of arena that a
// call of the largest config takes. `gpu_bytes`: memory of the GPU; none on a CPU.
WorkerBudget worker_budget(const BenchOptions& options, std::size_t kernels,
                           std::size_t one_call_bytes, std::optional<std::size_t> gpu_bytes);

}  // namespace robust_kbench
