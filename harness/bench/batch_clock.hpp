#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What one timed batch took by the broker's clock, and whether the worker's claims fit in.
namespace robust_kbench {

struct BatchClock {
  std::uint64_t wall_ns = 0;              // of the `run` request, by the broker's clock
  std::uint64_t noop_ns = 0;              // of the same number of calls that do nothing
  std::uint64_t delayed_ns = 0;           // of wall_ns: when something else had the processor
  std::vector<std::uint64_t> claimed_ns;  // span of each call, by the worker's word

  // The time of the calls. This is what a sample is made of, never a claim: claims may be wrong by
  // as much as the clocks may disagree, and shared out among calls as a worker likes.
  [[nodiscard]] std::uint64_t net_ns() const { return wall_ns > noop_ns ? wall_ns - noop_ns : 0; }
  [[nodiscard]] double sample_us() const {
    return static_cast<double>(net_ns()) / 1e3 / static_cast<double>(claimed_ns.size());
  }
};

// What a batch of calls that do nothing takes: its messages and its loop.
struct NoopCost {
  double batch_ns = 0;
  double call_ns = 0;

  // From the measured times of a batch of one call and one of `calls`.
  static NoopCost of(std::uint64_t one_ns, std::uint64_t many_ns, std::size_t calls);
  [[nodiscard]] std::uint64_t of_calls(std::size_t calls) const;
};

// Says how the claims contradict the broker's clock, if they do: a call that claims more than the
// whole batch took, or a sum further from the batch's time than `agreement` of it. Time when
// something else had the processor may be claimed or not: it falls into a span or between. A batch
// shorter than `least` is allowed as much disagreement as one of that length: there it is the noise
// of waking a process up.
std::optional<std::string> contradiction(const BatchClock& clock, double agreement,
                                         std::chrono::nanoseconds least);

// How many calls the next batch should have to take `span`, given that `calls` took `net_ns`;
// between 1 and `most`. A little more than needed, since a batch that is too short is measured in
// vain.
std::size_t calls_for(std::chrono::nanoseconds span, std::size_t calls, std::uint64_t net_ns,
                      std::size_t most);

}  // namespace robust_kbench
