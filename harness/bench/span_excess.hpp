#pragma once

#include <vector>

#include "bench/batch_clock.hpp"
#include "core/statistics.hpp"

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
  [[nodiscard]] Interval excess_interval_us() const;  // 99.9 %
  [[nodiscard]] double span_us() const;
  // What a call may leave to the harness beyond what its outputs explain: a cache of dirty lines.
  [[nodiscard]] double slack_us() const;

 private:
  std::vector<double> m_excess_us;
  std::vector<double> m_span_us;
  std::vector<double> m_slack_us;
};

// What excess costs nobody anything: that of the baselines in the same race, 0 at least.
struct UsualExcess {
  double us = 0;
  double at_most_us = 0;  // for certain
};
UsualExcess usual_excess(const std::vector<const SpanExcess*>& baselines);

// What of a subject's excess is its own. 0 where it is not certain that it is more than the clocks
// may disagree by, a share of the span.
double hidden_us(const SpanExcess& subject, const UsualExcess& usual, double agreement);
// The same of one batch, as if it were certain. A busy machine may seem to hide something in some.
double hidden_us(double excess_us, double span_us, const UsualExcess& usual, double agreement);

}  // namespace robust_kbench
