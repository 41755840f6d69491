#pragma once

#include <cstddef>
#include <cstdint>

#include "bench/timed_worker.hpp"

namespace robust_kbench {

// Cost of a batch of calls that do nothing: its messages and its loop, and on a GPU the cache
// sweeps.
struct NoopCost {
  double batch_ns = 0;
  double call_ns = 0;

  // Computed from the measured times of a batch of one call and one of `calls`.
  static NoopCost of(std::uint64_t one_ns, std::uint64_t many_ns, std::size_t calls);
  [[nodiscard]] std::uint64_t of_calls(std::size_t calls) const;
};

// The range from calls that leave nothing to the next sweep to calls that leave a cache full of
// dirty lines. On the CPU both ends are the same.
struct NoopCosts {
  NoopCost least;
  NoopCost most;
};

// Measures batches of `calls` calls and of a single one in a worker of a baseline. With `gpu` also
// those of calls that leave a cache full of dirty lines.
NoopCosts measure_noop(TimedWorker& worker, std::size_t calls, bool gpu);

}  // namespace robust_kbench
