#pragma once

#include <cstddef>
#include <cstdint>

#include "bench/timed_worker.hpp"

namespace robust_kbench {

// The cost of a batch of calls that do nothing: messages, the loop, and on a GPU the cache sweeps.
struct NoopCost {
  double batch_ns = 0;
  double call_ns = 0;

  // Computed from the measured times of a batch of one call and a batch of `calls`.
  static NoopCost of(std::uint64_t one_ns, std::uint64_t many_ns, std::size_t calls);
  [[nodiscard]] std::uint64_t of_calls(std::size_t calls) const;
};

// The range of costs: `least` if calls leave nothing to the next sweep, `most` if they leave a
// cache full of dirty lines. On the CPU both are the same.
struct NoopCosts {
  NoopCost least;
  NoopCost most;
};

// Measures batches of `calls` calls and of a single one in a worker of a baseline. With `gpu` it
// also measures calls that leave a cache full of dirty lines.
NoopCosts measure_noop(TimedWorker& worker, std::size_t calls, bool gpu);

}  // namespace robust_kbench
