#include "bench/span_excess.hpp"

#include <algorithm>

namespace robust_kbench {
namespace {

// What medians of honest subjects were seen to differ by, with room.
constexpr double resolution_us = 2;

// Of an excess that is `at_least` so much for certain.
double beyond_usual(double excess_us, double at_least_us, double span_us, const UsualExcess& usual,
                    double agreement) {
  const bool certain = at_least_us - usual.at_most_us > resolution_us + agreement * span_us;
  return certain ? excess_us - usual.us : 0;
}

}  // namespace

void SpanExcess::add(const BatchClock& clock) {
  const auto calls = static_cast<double>(clock.claimed_ns.size());
  m_excess_us.push_back(clock.excess_us());
  m_span_us.push_back(clock.mean_us());
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

UsualExcess usual_excess(const std::vector<const SpanExcess*>& baselines) {
  UsualExcess usual;
  for (const SpanExcess* baseline : baselines) {
    usual.us = std::max(usual.us, baseline->excess_us());
    usual.at_most_us = std::max(usual.at_most_us, baseline->excess_interval_us().high);
  }
  return usual;
}

double hidden_us(const SpanExcess& subject, const UsualExcess& usual, double agreement) {
  return beyond_usual(subject.excess_us(), subject.excess_interval_us().low, subject.span_us(),
                      usual, agreement);
}

double hidden_us(double excess_us, double span_us, const UsualExcess& usual, double agreement) {
  return beyond_usual(excess_us, excess_us, span_us, usual, agreement);
}

}  // namespace robust_kbench
