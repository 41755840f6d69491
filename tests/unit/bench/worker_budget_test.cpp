#include "bench/worker_budget.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20;
constexpr std::size_t gib = 1024 * mib;

BenchOptions options() {
  BenchOptions options;
  options.workers = 5;
  options.batch_bytes = 64 * mib;
  options.baselines = {"eager"};
  return options;
}

TEST(WorkerBudget, HasRoomForACallAndABatchOnACpu) {
  const WorkerBudget budget = worker_budget(options(), 1, gib, std::nullopt);
  EXPECT_EQ(budget.kernel_arena_bytes, gib + 8 * 64 * mib);
  EXPECT_EQ(budget.baseline_arena_bytes, budget.kernel_arena_bytes);
  EXPECT_EQ(budget.workers, 5);
}

TEST(WorkerBudget, HoldsABatchOrACallOrAShareOfItOnAGpu) {
  const WorkerBudget small = worker_budget(options(), 1, mib, 80 * gib);
  EXPECT_EQ(small.kernel_arena_bytes, 256 * mib);
  EXPECT_EQ(small.baseline_arena_bytes, 128 * mib);
  const WorkerBudget whole = worker_budget(options(), 1, 4 * gib, 80 * gib);
  EXPECT_EQ(whole.kernel_arena_bytes, 4 * gib);
  EXPECT_EQ(whole.workers, 5);
  const WorkerBudget large = worker_budget(options(), 1, 8 * gib, 80 * gib);
  EXPECT_EQ(large.kernel_arena_bytes, 4 * gib);
  EXPECT_EQ(large.baseline_arena_bytes, 2 * gib);
}

// A kernel's and a baseline's worker together take 17.25 GiB for calls of 16 GiB. Workers get 70 %.
TEST(WorkerBudget, StartsAsManyWorkersAsFitOnAGpuAndTwoAtLeast) {
  EXPECT_EQ(worker_budget(options(), 1, 16 * gib, 160 * gib).workers, 5);
  EXPECT_EQ(worker_budget(options(), 1, 16 * gib, 80 * gib).workers, 3);
  EXPECT_EQ(worker_budget(options(), 1, 16 * gib, 24 * gib).workers, 2);
  BenchOptions more = options();
  more.baselines = {"eager", "graph"};
  EXPECT_EQ(worker_budget(options(), 2, 16 * gib, 80 * gib).workers, 2);
  EXPECT_EQ(worker_budget(more, 1, 16 * gib, 80 * gib).workers, 2);
}

// Two turns of a kernel and a baseline's worker take 25.875 GiB, and the content of a call 16.125.
TEST(WorkerBudget, StartsFewerWorkersIfOthersNeedTheGpusMemory) {
  BenchOptions beside_others = options();
  beside_others.gpu_bytes_for_others = 40 * gib;
  EXPECT_EQ(worker_budget(beside_others, 1, 16 * gib, 160 * gib).workers, 4);
  beside_others.gpu_bytes_for_others = 200 * gib;
  EXPECT_EQ(worker_budget(beside_others, 1, 16 * gib, 160 * gib).workers, 2);
}

// One context and 4 GiB for the content, and 4 GiB for each baseline's own; in all 25.25 GiB.
TEST(WorkerBudget, LetsBaselinesShareTheirWorkers) {
  BenchOptions more = options();
  more.baselines = {"eager", "compile", "graph"};
  EXPECT_EQ(worker_budget(more, 1, 16 * gib, 160 * gib).workers, 4);
}

}  // namespace
}  // namespace robust_kbench
