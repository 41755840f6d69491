#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "bench/batch_clock.hpp"
#include "core/statistics.hpp"

namespace robust_kbench {

// What discrepancy costs nobody anything: that of the baselines in the same run, 0 at least.
struct ExpectedDiscrepancy {
  double us = 0;
  double at_most_us = 0;  // for certain
};

// By how much the calls of one subject on a GPU took longer by the broker's clock than they claim.
// One batch says little: waking processes up and waiting for a GPU costs some microseconds a call
// more or less. The median over a run's batches says more, and a baseline's of the same run what
// is usual.
class ClockDiscrepancy {
 public:
  void add(std::size_t worker, const BatchClock& clock);

  [[nodiscard]] std::size_t batches() const { return m_batches.size(); }
  // Medians over batches, of one call. At least one batch was added.
  [[nodiscard]] double discrepancy_us() const { return median(of_batches(&Batch::discrepancy_us)); }
  [[nodiscard]] Interval discrepancy_interval_us() const;  // 99.9 %
  [[nodiscard]] double span_us() const { return median(of_batches(&Batch::span_us)); }
  // What a call may leave to the harness: a cache of dirty lines.
  [[nodiscard]] double margin_us() const;

  // What of the discrepancy is the subject's own. 0 where it is not certain that it is more than
  // the clocks may disagree by, a share of the span. Where there is no baseline to compare with,
  // `margin_us` is what is expected.
  [[nodiscard]] double unreported_us(const std::optional<ExpectedDiscrepancy>& usual,
                                     double agreement) const;
  // What a call of `worker` took on average in the batch where that is least, with what is hidden
  // in all batches or in this one, as if the latter were certain: a busy machine may seem to hide
  // something in some. Of a worker with at least one batch.
  [[nodiscard]] double min_us(std::size_t worker, const std::optional<ExpectedDiscrepancy>& usual,
                              double agreement) const;

 private:
  struct Batch {
    std::size_t worker;
    double span_us;  // claimed, on average
    double discrepancy_us;
    double margin_us;
  };
  [[nodiscard]] ExpectedDiscrepancy or_margin(
      const std::optional<ExpectedDiscrepancy>& usual) const;
  [[nodiscard]] std::vector<double> of_batches(double Batch::*value) const;

  std::vector<Batch> m_batches;
};

// Nothing where there is no baseline.
std::optional<ExpectedDiscrepancy> expected_discrepancy(
    const std::vector<const ClockDiscrepancy*>& baselines);

}  // namespace robust_kbench
