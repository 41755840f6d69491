#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "bench/bench.hpp"
#include "core/config.hpp"
#include <robust_kbench/direction.hpp>
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// Memory and number of the workers of a KernelTimer, which live at the same time.
struct WorkerBudget {
  std::size_t kernel_arena_bytes = 0;
  std::size_t baseline_arena_bytes = 0;
  int workers = 0;  // of each kernel, and of all baselines together
  // GPU memory of all workers of one kernel, and of all workers of the baselines.
  std::size_t kernel_gpu_bytes = 0;
  std::size_t baselines_gpu_bytes = 0;
};

// Plans for `kernels` kernels and their baselines, which share workers. `one_call_bytes` is the
// arena that a call of the largest config takes. `gpu_bytes` is the GPU's memory, empty on a CPU.
WorkerBudget worker_budget(const BenchOptions& options, std::size_t kernels,
                           std::size_t one_call_bytes, std::optional<std::size_t> gpu_bytes);

// How many workers a kernel has that may have at most so many. 0: as many as the budget says.
int workers_within(const WorkerBudget& budget, int most);

// How many workers of kernels have memory at a time where turns of `kernels` kernels follow each
// other. Those of one turn end while the next turn's start.
std::size_t worker_slots(const WorkerBudget& budget, std::size_t kernels);

// GPU memory to claim for timing kernels on these configs. The first is for `kernels` kernels at a
// time. The second is for several turns of so many, where workers of one turn end while the next
// turn's start.
std::size_t timing_gpu_bytes(const Task& task, Direction direction,
                             const std::vector<Config>& configs, std::size_t kernels,
                             const BenchOptions& options);
std::size_t timing_in_turns_gpu_bytes(const Task& task, Direction direction,
                                      const std::vector<Config>& configs, std::size_t kernels,
                                      const BenchOptions& options);

}  // namespace robust_kbench
