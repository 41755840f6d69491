#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "bench/bench.hpp"
#include "core/config.hpp"
#include <robust_kbench/direction.hpp>
#include <robust_kbench/task.hpp>

namespace robust_kbench {

// What the workers of a KernelTimer get, which live beside each other.
struct WorkerBudget {
  std::size_t kernel_arena_bytes = 0;
  std::size_t baseline_arena_bytes = 0;
  int workers = 0;  // of each kernel, and of all baselines together
  // Of a GPU: all workers of a kernel, and those of the baselines.
  std::size_t kernel_gpu_bytes = 0;
  std::size_t baselines_gpu_bytes = 0;
};

// For `kernels` kernels and their baselines, which share workers. `one_call_bytes`: of arena that a
// call of the largest config takes. `gpu_bytes`: memory of the GPU; none on a CPU.
WorkerBudget worker_budget(const BenchOptions& options, std::size_t kernels,
                           std::size_t one_call_bytes, std::optional<std::size_t> gpu_bytes);

// What is claimed of a GPU to time kernels on these configs: `kernels` beside each other, or
// so many in each of several turns, where the workers of one end while those of the next
// start.
std::size_t timing_gpu_bytes(const Task& task, Direction direction,
                             const std::vector<Config>& configs, std::size_t kernels,
                             const BenchOptions& options);
std::size_t timing_in_turns_gpu_bytes(const Task& task, Direction direction,
                                      const std::vector<Config>& configs, std::size_t kernels,
                                      const BenchOptions& options);

}  // namespace robust_kbench
