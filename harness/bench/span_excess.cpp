#include "bench/span_excess.hpp"

#include <algorithm>
#include <numeric>

#include "core/statistics.hpp"

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

double SpanExcess::span_us() const {
  return median(m_span_us);
}

double SpanExcess::slack_us() const {
  return std::max(0.0, median(m_slack_us));
}

double hidden_us(const SpanExcess& subject, double usual_us, double agreement) {
  const double own = subject.excess_us() - std::max(0.0, usual_us);
  return own > resolution_us + agreement * subject.span_us() ? own : 0;
}

}  // namespace robust_kbench
