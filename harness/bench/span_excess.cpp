#include "bench/span_excess.hpp"

#include <algorithm>
#include <numeric>

namespace robust_kbench {
namespace {

// What medians of honest subjects were seen to differ by, with room.
constexpr double resolution_us = 2;

}  // namespace

void SpanExcess::add(const BatchClock& clock) {
  const auto calls = static_cast<double>(clock.claimed_ns.size());
  const double claimed = std::accumulate(clock.claimed_ns.begin(), clock.claimed_ns.end(), 0.0);
  const double net = static_cast<double>(clock.wall_ns) - static_cast<double>(clock.noop_ns) -
                     static_cast<double>(clock.delayed_ns);
  m_excess_us.push_back((net - claimed) / 1e3 / calls);
  m_span_us.push_back(claimed / 1e3 / calls);
  m_slack_us.push_back(
      (static_cast<double>(clock.most_noop_ns) - static_cast<double>(clock.noop_ns)) / 1e3 / calls);
}

double SpanExcess::excess_us() const {
  return median(m_excess_us);
}

Interval SpanExcess::excess_interval_us() const {
  return median_interval(m_excess_us);
}

double SpanExcess::span_us() const {
  return median(m_span_us);
}

double SpanExcess::slack_us() const {
  return std::max(0.0, median(m_slack_us));
}

double hidden_us(const SpanExcess& subject, const std::vector<const SpanExcess*>& baselines,
                 double agreement) {
  double usual = 0;
  double usual_at_most = 0;
  for (const SpanExcess* baseline : baselines) {
    usual = std::max(usual, baseline->excess_us());
    usual_at_most = std::max(usual_at_most, baseline->excess_interval_us().high);
  }
  const double at_least = subject.excess_interval_us().low - usual_at_most;
  const bool certain = at_least > resolution_us + agreement * subject.span_us();
  return certain ? subject.excess_us() - usual : 0;
}

}  // namespace robust_kbench
