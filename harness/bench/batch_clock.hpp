#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device/gpu_state.hpp"

// What one timed batch took by the broker's clock, and whether the worker's claims fit in.
namespace robust_kbench {

struct BatchClock {
  std::uint64_t wall_ns = 0;              // of the `run` request, by the broker's clock
  std::uint64_t ran_before_ns = 0;        // of a processor, though stopped until wall_ns began
  std::uint64_t noop_ns = 0;              // of the same number of calls that do nothing
  std::uint64_t max_noop_ns = 0;          // of calls that leave as much to the harness as they can
  std::uint64_t delayed_ns = 0;           // of wall_ns: when something else had the processor
  std::vector<std::uint64_t> claimed_ns;  // span of each call, by the worker's word
  bool on_gpu = false;                    // then the spans are by the GPU's clock
  std::optional<GpuState> gpu;            // about when the batch ended

  // By the batch, whenever it did.
  [[nodiscard]] std::uint64_t taken_ns() const { return wall_ns + ran_before_ns; }
  // The time of the calls, by the broker's clock.
  [[nodiscard]] std::uint64_t net_ns() const {
    return taken_ns() > noop_ns ? taken_ns() - noop_ns : 0;
  }
  // What decides whether a batch was long enough: on a GPU it is sweeps of the cache for the most
  // part, and their noise is what length averages out.
  [[nodiscard]] std::uint64_t length_ns() const { return on_gpu ? wall_ns : net_ns(); }
  // Of one call. On the CPU this is never made of claims: they may be wrong by as much as the
  // clocks may disagree, and shared out among calls as a worker likes. On a GPU the broker's clock
  // cannot resolve calls far shorter than the sweeps between them: there the sample is the mean of
  // the middle half of the spans, since a host that something interrupts stalls several calls, and
  // what the broker's clock says of all of them is judged over many batches
  // (bench/clock_discrepancy.hpp). A nanosecond at least.
  [[nodiscard]] double sample_us() const;
  // Of a GPU: what calls claim on average, more than the sample where some do the work of others,
  // or are interrupted; and by how much they took longer by the broker's clock. Nothing is taken
  // off for delays: a worker can make them longer by threads of its own that wait for the
  // processor.
  [[nodiscard]] double mean_us() const;
  [[nodiscard]] double discrepancy_us() const;
};

// Says how the claims contradict the broker's clock, if they do: a call that claims more than the
// whole batch took, or a sum further from the batch's time than `agreement` of it. Time when
// something else had the processor may be claimed or not: it falls into a span or between. A batch
// shorter than `least` is allowed as much disagreement as one of that length: there it is the noise
// of waking a process up. Of a GPU's batch only the first is asked.
std::optional<std::string> contradiction(const BatchClock& clock, double agreement,
                                         std::chrono::nanoseconds least);

// How many calls the next batch should have to take `span`, given that `calls` took `net_ns`;
// between 1 and `most`. A little more than needed, since a batch that is too short is measured in
// vain.
std::size_t calls_for(std::chrono::nanoseconds span, std::size_t calls, std::uint64_t net_ns,
                      std::size_t most);

}  // namespace robust_kbench
