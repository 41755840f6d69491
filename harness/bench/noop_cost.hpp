#pragma once

#include <cstddef>
#include <cstdint>

#include "bench/timed_worker.hpp"

namespace robust_kbench {

// What a batch of calls that do nothing takes: its messages and its loop; on a GPU the sweeps too.
struct NoopCost {
  double batch_ns = 0;
  double call_ns = 0;

  // From the measured times of a batch of one call and one of `calls`.
  static NoopCost of(std::uint64_t one_ns, std::uint64_t many_ns, std::size_t calls);
  [[nodiscard]] std::uint64_t of_calls(std::size_t calls) const;
};

// Between calls that leave nothing to the sweep after them and calls that leave a cache full of
// lines to be written back. On the CPU both are the same.
struct NoopCosts {
  NoopCost least;
  NoopCost most;
};

// By a worker of a baseline, with `calls` and with a single one. On a GPU (`gpu`) also of calls
// that leave a cache full of lines to be written back.
NoopCosts measure_noop(TimedWorker& worker, std::size_t calls, bool gpu);

}  // namespace robust_kbench
