#include "bench/clock_discrepancy.hpp"

#include <algorithm>
#include <limits>

namespace robust_kbench {
namespace {

// The observed differences between medians of honest subjects, with some room.
constexpr double resolution_us = 2;

double tolerance_us(double span_us, double agreement) {
  return resolution_us + agreement * span_us;
}

}  // namespace

void ClockDiscrepancy::add(std::size_t worker, const BatchClock& clock) {
  const double margin_ns =
      static_cast<double>(clock.max_noop_ns) - static_cast<double>(clock.noop_ns);
  m_batches.push_back(
      {.worker = worker,
       .calls = static_cast<double>(clock.claimed_ns.size()),
       .span_us = clock.mean_us(),
       .discrepancy_us = clock.discrepancy_us(),
       .margin_us = margin_ns / 1e3 / static_cast<double>(clock.claimed_ns.size())});
}

std::vector<double> ClockDiscrepancy::of_batches(double Batch::*value) const {
  std::vector<double> values;
  for (const Batch& batch : m_batches) values.push_back(batch.*value);
  return values;
}

Interval ClockDiscrepancy::discrepancy_interval_us() const {
  return median_interval(of_batches(&Batch::discrepancy_us));
}

double ClockDiscrepancy::margin_us() const {
  return std::max(0.0, median(of_batches(&Batch::margin_us)));
}

ExpectedDiscrepancy ExpectedDiscrepancy::in_batches_of(double calls) const {
  return {.us = std::max(us, batch_us / calls),
          .at_most_us = std::max(at_most_us, batch_at_most_us / calls)};
}

ExpectedDiscrepancy ClockDiscrepancy::accepted(
    const std::optional<ExpectedDiscrepancy>& usual) const {
  if (usual) return usual->in_batches_of(calls());
  return {.us = margin_us(), .at_most_us = margin_us()};
}

double ClockDiscrepancy::unreported_us(const std::optional<ExpectedDiscrepancy>& of_baselines,
                                       double agreement) const {
  const ExpectedDiscrepancy usual = accepted(of_baselines);
  const double certain = discrepancy_interval_us().low - usual.at_most_us;
  return certain > tolerance_us(span_us(), agreement) ? discrepancy_us() - usual.us : 0;
}

double ClockDiscrepancy::min_us(std::size_t worker,
                                const std::optional<ExpectedDiscrepancy>& of_baselines,
                                double agreement) const {
  const ExpectedDiscrepancy usual = accepted(of_baselines);
  const double in_all = unreported_us(of_baselines, agreement);
  double least = std::numeric_limits<double>::infinity();
  for (const Batch& batch : m_batches) {
    if (batch.worker != worker) continue;
    const double here = batch.discrepancy_us - usual.us;
    const bool tolerated = here <= tolerance_us(batch.span_us, agreement);
    least = std::min(least, batch.span_us + std::max(in_all, tolerated ? 0 : here));
  }
  return least;
}

std::optional<ExpectedDiscrepancy> expected_discrepancy(
    const std::vector<const ClockDiscrepancy*>& baselines) {
  if (baselines.empty()) return std::nullopt;
  ExpectedDiscrepancy usual;
  for (const ClockDiscrepancy* baseline : baselines) {
    const double us = baseline->discrepancy_us();
    const double at_most_us = baseline->discrepancy_interval_us().high;
    usual.us = std::max(usual.us, us);
    usual.at_most_us = std::max(usual.at_most_us, at_most_us);
    usual.batch_us = std::max(usual.batch_us, us * baseline->calls());
    usual.batch_at_most_us = std::max(usual.batch_at_most_us, at_most_us * baseline->calls());
  }
  return usual;
}

}  // namespace robust_kbench
