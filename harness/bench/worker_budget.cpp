#include "bench/worker_budget.hpp"

#include <algorithm>

#include "check/batch.hpp"
#include "device/gpu_facts.hpp"
#include "device/gpu_memory_budget.hpp"

namespace robust_kbench {
namespace {

// The arena's bytes per byte of a batch's content, which also cover allocations of its calls. The
// arena is sparse, so unused bytes cost nothing.
constexpr std::size_t arena_per_batch_byte = 8;
// GPU memory is not sparse. A batch of one call may exceed `batch_bytes`. The arena then holds the
// call's need in a test case, or a share of it if not all workers fit otherwise. The baselines'
// arena holds the inputs and the results of one call. Torch takes as much again for each baseline.
constexpr std::size_t gpu_arena_per_batch_byte = 4;
constexpr std::size_t gpu_kernel_share = 2;
constexpr std::size_t gpu_baseline_share = 4;
// Used if tensors are so large that not all workers of each subject fit at a time.
constexpr int min_gpu_workers = 2;

// A batch that turns out too short is repeated with content of its own.
constexpr std::size_t contents_at_a_time = 2;

// The share of a GPU's memory for workers. The rest is for references.
std::size_t bytes_for_workers(std::size_t gpu_bytes) {
  return gpu_bytes / 10 * 7;
}

// The broker's own memory: contents, and references of a call.
std::size_t of_call_source(const BenchOptions& options, std::size_t one_call_bytes) {
  return one_call_bytes + contents_at_a_time * options.batch_bytes;
}

// The budget where each kernel's worker has a share of a call's need.
WorkerBudget gpu_budget(const BenchOptions& options, std::size_t kernels,
                        std::size_t one_call_bytes, std::size_t gpu_bytes,
                        std::size_t kernel_share) {
  const std::size_t of_batch = options.batch_bytes * gpu_arena_per_batch_byte;
  WorkerBudget budget{
      .kernel_arena_bytes = std::max(one_call_bytes / kernel_share, of_batch),
      .baseline_arena_bytes = std::max(one_call_bytes / gpu_baseline_share, of_batch / 2)};
  const std::size_t of_kernel = budget.kernel_arena_bytes + gpu_context_bytes;
  const std::size_t of_baselines =
      (1 + options.baselines.size()) * budget.baseline_arena_bytes + gpu_context_bytes;
  const std::size_t of_one_each = kernels * of_kernel + of_baselines;
  std::size_t most = bytes_for_workers(gpu_bytes) / of_one_each;
  if (options.gpu_bytes_for_others > 0) {
    const std::size_t others =
        options.gpu_bytes_for_others + of_call_source(options, one_call_bytes);
    const std::size_t left = gpu_bytes - std::min(gpu_bytes, others);
    most = std::min(most, left / (of_one_each + kernels * of_kernel));  // two turns overlap
  }
  budget.workers = std::clamp(static_cast<int>(most), min_gpu_workers, options.workers);
  const auto workers = static_cast<std::size_t>(budget.workers);
  budget.kernel_gpu_bytes = workers * of_kernel;
  budget.baselines_gpu_bytes = workers * of_baselines;
  return budget;
}

}  // namespace

WorkerBudget worker_budget(const BenchOptions& options, std::size_t kernels,
                           std::size_t one_call_bytes, std::optional<std::size_t> gpu_bytes) {
  if (!gpu_bytes) {
    const std::size_t arena = one_call_bytes + arena_per_batch_byte * options.batch_bytes;
    return {.kernel_arena_bytes = arena, .baseline_arena_bytes = arena, .workers = options.workers};
  }
  const WorkerBudget whole = gpu_budget(options, kernels, one_call_bytes, *gpu_bytes, 1);
  if (whole.workers == options.workers) return whole;
  return gpu_budget(options, kernels, one_call_bytes, *gpu_bytes, gpu_kernel_share);
}

int workers_within(const WorkerBudget& budget, int most) {
  return most > 0 ? std::min(most, budget.workers) : budget.workers;
}

std::size_t worker_slots(const WorkerBudget& budget, std::size_t kernels) {
  return 2 * kernels * static_cast<std::size_t>(budget.workers);
}

std::size_t timing_gpu_bytes(const Task& task, Direction direction,
                             const std::vector<Config>& configs, std::size_t kernels,
                             const BenchOptions& options) {
  const std::size_t one_call = largest_arena(task, direction, configs, 1, /*gpu=*/true);
  const WorkerBudget budget = worker_budget(options, kernels, one_call, gpu_facts().memory_bytes);
  return kernels * budget.kernel_gpu_bytes + budget.baselines_gpu_bytes +
         of_call_source(options, one_call);
}

std::size_t timing_in_turns_gpu_bytes(const Task& task, Direction direction,
                                      const std::vector<Config>& configs, std::size_t kernels,
                                      const BenchOptions& options) {
  const std::size_t one_call = largest_arena(task, direction, configs, 1, /*gpu=*/true);
  const WorkerBudget budget = worker_budget(options, kernels, one_call, gpu_facts().memory_bytes);
  return timing_gpu_bytes(task, direction, configs, kernels, options) +
         kernels * budget.kernel_gpu_bytes;
}

}  // namespace robust_kbench
