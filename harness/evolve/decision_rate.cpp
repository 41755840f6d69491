#include "evolve/decision_rate.hpp"

#include <algorithm>

#include "core/statistics.hpp"

namespace robust_kbench {
namespace {

constexpr std::size_t latest_kept = 8;

}  // namespace

void DecisionRate::read_clock(double seconds) {
  m_now = seconds;
  for (const std::int64_t id : m_just_decided) {
    const double begun = m_begun.at(id);
    m_begun.erase(id);
    m_first_begun = std::min(m_first_begun.value_or(begun), begun);
    if (!m_first_decided) m_first_decided = seconds;
    m_last_decided = seconds;
    ++m_decided;
    m_latest.push_back(seconds - begun);
    if (m_latest.size() > latest_kept) m_latest.pop_front();
  }
  m_just_decided.clear();
}

std::optional<double> DecisionRate::per_minute() const {
  if (m_decided == 0 || m_last_decided <= *m_first_begun) return std::nullopt;
  return 60 * m_decided / (m_last_decided - *m_first_begun);
}

double DecisionRate::candidate_seconds(double first_guess) const {
  constexpr double three_of_four = 0.75;
  if (m_latest.empty()) return first_guess;
  return quantile({m_latest.begin(), m_latest.end()}, three_of_four);
}

}  // namespace robust_kbench
