#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "bench/bench.hpp"
#include "core/config.hpp"
#include <robust_kbench/direction.hpp>
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// The memory and number of a KernelTimer's workers, which all exist at the same time.
struct WorkerBudget {
  std::size_t kernel_arena_bytes = 0;
  std::size_t baseline_arena_bytes = 0;
  int workers = 0;  // for each kernel, and for all baselines together
  // The GPU memory of all workers of one kernel, and of all workers of the baselines.
  std::size_t kernel_gpu_bytes = 0;
  std::size_t baselines_gpu_bytes = 0;
};

// Plans for `kernels` kernels and their baselines, which share workers. `one_call_bytes` is the
// arena that a call of the largest config takes. `gpu_bytes` is the GPU's memory, or nullopt on a
// CPU.
WorkerBudget worker_budget(const BenchOptions& options, std::size_t kernels,
                           std::size_t one_call_bytes, std::optional<std::size_t> gpu_bytes);

// The number of workers of a kernel that may have at most `most`. 0 means no such limit.
int workers_within(const WorkerBudget& budget, int most);

// The number of kernels' workers that have memory at a time, in turns of `kernels` kernels. Those
// of one turn end while the next turn's start.
std::size_t worker_slots(const WorkerBudget& budget, std::size_t kernels);

// The GPU memory to claim for timing kernels on these configs. The first is for `kernels` kernels
// at a time. The second is for several turns of so many, where workers of one turn end while the
// next turn's start.
std::size_t timing_gpu_bytes(const Task& task, Direction direction,
                             const std::vector<Config>& configs, std::size_t kernels,
                             const BenchOptions& options);
std::size_t timing_in_turns_gpu_bytes(const Task& task, Direction direction,
                                      const std::vector<Config>& configs, std::size_t kernels,
                                      const BenchOptions& options);

}  // namespace robust_kbench
