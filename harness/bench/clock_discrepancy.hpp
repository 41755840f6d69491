#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "bench/batch_clock.hpp"
#include "core/statistics.hpp"

namespace robust_kbench {

// The discrepancy of a call that is accepted without penalty: that of the baselines in the same
// run, at least 0.
struct ExpectedDiscrepancy {
  double us = 0;
  double at_most_us = 0;  // upper end of its interval
  // The same for a whole batch. A batch's own cost is known within some 100 us only. A batch of
  // slow calls has few of them, so each gets a larger share of that error.
  double batch_us = 0;
  double batch_at_most_us = 0;

  // Returns the discrepancy that is accepted for a call in batches of `calls`.
  [[nodiscard]] ExpectedDiscrepancy in_batches_of(double calls) const;
};

// How much longer the calls of one subject on a GPU took by the broker's clock than they claim. One
// batch says little: waking processes up and waiting for a GPU varies by some microseconds a call.
// The median over a run's batches says more. A baseline's median in the same run shows the usual
// value.
class ClockDiscrepancy {
 public:
  void add(std::size_t worker, const BatchClock& clock);

  [[nodiscard]] std::size_t batches() const { return m_batches.size(); }
  // Medians over batches, for one call. At least one batch must have been added.
  [[nodiscard]] double discrepancy_us() const { return median(of_batches(&Batch::discrepancy_us)); }
  [[nodiscard]] Interval discrepancy_interval_us() const;  // 99.9 %
  [[nodiscard]] double span_us() const { return median(of_batches(&Batch::span_us)); }
  [[nodiscard]] double calls() const { return median(of_batches(&Batch::calls)); }  // of a batch
  // The most work that a call may leave to the harness, which is a cache of dirty lines.
  [[nodiscard]] double margin_us() const;

  // The part of the discrepancy that is the subject's own. It is 0 unless it certainly exceeds the
  // disagreement that the clocks may have, which grows with the span. Without a baseline to compare
  // with, `margin_us` is the expected discrepancy.
  [[nodiscard]] double unreported_us(const std::optional<ExpectedDiscrepancy>& usual,
                                     double agreement) const;
  // The mean time of a call of `worker` in its cheapest batch, including time hidden from its
  // claims. The hidden time is that of all batches or of this one, whichever is more. One batch's
  // counts without an interval, since a busy machine seems to hide time only in some batches. The
  // worker must have at least one batch.
  [[nodiscard]] double min_us(std::size_t worker, const std::optional<ExpectedDiscrepancy>& usual,
                              double agreement) const;

 private:
  struct Batch {
    std::size_t worker;
    double calls;
    double span_us;  // mean of the claims
    double discrepancy_us;
    double margin_us;
  };
  // Returns the discrepancy that is accepted for a call of this subject.
  [[nodiscard]] ExpectedDiscrepancy accepted(const std::optional<ExpectedDiscrepancy>& usual) const;
  [[nodiscard]] std::vector<double> of_batches(double Batch::*value) const;

  std::vector<Batch> m_batches;
};

// Returns nullopt without baselines.
std::optional<ExpectedDiscrepancy> expected_discrepancy(
    const std::vector<const ClockDiscrepancy*>& baselines);

}  // namespace robust_kbench
