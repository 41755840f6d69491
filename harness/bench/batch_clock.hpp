#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device/gpu_state.hpp"

// The times of one batch by the broker's clock, and a check of the worker's claims against them.
namespace robust_kbench {

struct BatchClock {
  std::uint64_t wall_ns = 0;  // duration of the `run` request, by the broker's clock
  // processor time used before wall_ns began, while the worker should have been stopped
  std::uint64_t ran_before_ns = 0;
  std::uint64_t noop_ns = 0;      // time of as many calls that do nothing
  std::uint64_t max_noop_ns = 0;  // the same if calls leave as much as possible to the harness
  std::uint64_t delayed_ns = 0;   // part of wall_ns in which something else had the processor
  std::vector<std::uint64_t> claimed_ns;  // span of each call, as the worker claims it
  bool on_gpu = false;                    // if true, the spans are by the GPU's clock
  std::optional<GpuState> gpu;            // about when the batch ended

  // The whole time that the batch used, including any before its start.
  [[nodiscard]] std::uint64_t taken_ns() const { return wall_ns + ran_before_ns; }
  // The time of the calls, by the broker's clock.
  [[nodiscard]] std::uint64_t net_ns() const {
    return taken_ns() > noop_ns ? taken_ns() - noop_ns : 0;
  }
  // The time that decides whether a batch was long enough. On a GPU most of it is cache sweeps,
  // whose noise a longer batch averages out.
  [[nodiscard]] std::uint64_t length_ns() const { return on_gpu ? wall_ns : net_ns(); }
  // The time of one call, at least a nanosecond. On the CPU it never comes from claims. Claims may
  // err as far as the clocks may disagree, and a worker may shift time between calls. On a GPU the
  // broker's clock cannot resolve calls far shorter than the sweeps between them. There the sample
  // is the mean of the middle half of the spans, since one interruption of the host stalls several
  // calls. The broker's clock then judges all calls over many batches
  // (bench/clock_discrepancy.hpp).
  [[nodiscard]] double sample_us() const;
  // GPU only. `mean_us` is the mean claim of a call. It exceeds the sample if some calls do the
  // work of others, or are interrupted. `discrepancy_us` is how much longer a call took by the
  // broker's clock. Delays are not subtracted, since a worker can lengthen them by threads of its
  // own that wait for the processor.
  [[nodiscard]] double mean_us() const;
  [[nodiscard]] double discrepancy_us() const;
};

// Says how the claims contradict the broker's clock, if they do. Either a call claims more than the
// whole batch took, or the sum differs from the batch's time by more than `agreement` of it. On a
// GPU only the former is checked. Time in which something else had the processor may be claimed or
// not, since it falls into a span or between two. A batch shorter than `least` gets the absolute
// allowance of a batch of that length, since waking a process up is noisy.
std::optional<std::string> contradiction(const BatchClock& clock, double agreement,
                                         std::chrono::nanoseconds least);

// The number of calls that the next batch needs to take `span`, if `calls` took `net_ns`. It is
// between 1 and `most`. It includes some headroom, since a batch that turns out too short is
// wasted.
std::size_t calls_for(std::chrono::nanoseconds span, std::size_t calls, std::uint64_t net_ns,
                      std::size_t most);

}  // namespace robust_kbench
