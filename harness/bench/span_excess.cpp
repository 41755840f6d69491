#include "bench/span_excess.hpp"

#include <algorithm>
#include <limits>

namespace robust_kbench {
namespace {

// What medians of honest subjects were seen to differ by, with room.
constexpr double resolution_us = 2;

double tolerance_us(double span_us, double agreement) {
  return resolution_us + agreement * span_us;
}

}  // namespace

void SpanExcess::add(std::size_t worker, const BatchClock& clock) {
  const double slack_ns =
      static_cast<double>(clock.most_noop_ns) - static_cast<double>(clock.noop_ns);
  m_batches.push_back({.worker = worker,
                       .span_us = clock.mean_us(),
                       .excess_us = clock.excess_us(),
                       .slack_us = slack_ns / 1e3 / static_cast<double>(clock.claimed_ns.size())});
}

std::vector<double> SpanExcess::of_batches(double Batch::*value) const {
  std::vector<double> values;
  for (const Batch& batch : m_batches) values.push_back(batch.*value);
  return values;
}

Interval SpanExcess::excess_interval_us() const {
  return median_interval(of_batches(&Batch::excess_us));
}

double SpanExcess::slack_us() const {
  return std::max(0.0, median(of_batches(&Batch::slack_us)));
}

UsualExcess SpanExcess::or_slack(const std::optional<UsualExcess>& usual) const {
  return usual ? *usual : UsualExcess{.us = slack_us(), .at_most_us = slack_us()};
}

double SpanExcess::hidden_us(const std::optional<UsualExcess>& of_baselines,
                             double agreement) const {
  const UsualExcess usual = or_slack(of_baselines);
  const double certain = excess_interval_us().low - usual.at_most_us;
  return certain > tolerance_us(span_us(), agreement) ? excess_us() - usual.us : 0;
}

double SpanExcess::least_us(std::size_t worker, const std::optional<UsualExcess>& of_baselines,
                            double agreement) const {
  const UsualExcess usual = or_slack(of_baselines);
  const double in_all = hidden_us(of_baselines, agreement);
  double least = std::numeric_limits<double>::infinity();
  for (const Batch& batch : m_batches) {
    if (batch.worker != worker) continue;
    const double here = batch.excess_us - usual.us;
    const bool tolerated = here <= tolerance_us(batch.span_us, agreement);
    least = std::min(least, batch.span_us + std::max(in_all, tolerated ? 0 : here));
  }
  return least;
}

std::optional<UsualExcess> usual_excess(const std::vector<const SpanExcess*>& baselines) {
  if (baselines.empty()) return std::nullopt;
  UsualExcess usual;
  for (const SpanExcess* baseline : baselines) {
    usual.us = std::max(usual.us, baseline->excess_us());
    usual.at_most_us = std::max(usual.at_most_us, baseline->excess_interval_us().high);
  }
  return usual;
}

}  // namespace robust_kbench
