#pragma once

#include <vector>

#include "bench/batch_clock.hpp"

namespace robust_kbench {

// By how much the calls of one subject on a GPU took longer by the broker's clock than they claim.
// One batch says little: waking processes up and waiting for a GPU costs some microseconds a call
// more or less. The median over a race's batches says more, and a baseline's of the same race what
// is usual.
class SpanExcess {
 public:
  void add(const BatchClock& clock);

  [[nodiscard]] std::size_t batches() const { return m_excess_us.size(); }
  // Medians over batches, of one call. At least one batch was added.
  [[nodiscard]] double excess_us() const;
  [[nodiscard]] double span_us() const;
  // What a call may leave to the harness beyond what its outputs explain: a cache of dirty lines.
  [[nodiscard]] double slack_us() const;

 private:
  std::vector<double> m_excess_us;
  std::vector<double> m_span_us;
  std::vector<double> m_slack_us;
};

// What of a subject's excess is its own: beyond `usual_us`, that of the baselines, and beyond what
// the clocks may disagree by, a share of the span. 0 where it is within.
double hidden_us(const SpanExcess& subject, double usual_us, double agreement);

}  // namespace robust_kbench
