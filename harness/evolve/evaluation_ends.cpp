#include "evolve/evaluation_ends.hpp"

namespace robust_kbench {

EvaluationEnds::EvaluationEnds(const std::stop_token& stop, const std::stop_token& search,
                               const std::stop_token& first_races)
    : m_stop(stop),
      m_stopping(stop, [this] { end_candidates(); }),
      m_ending_search(search, [this] { end_candidates(); }),
      m_ending_first_races(first_races, [this] { m_first_races.request_stop(); }) {}

void EvaluationEnds::end_candidates() {
  m_candidates.request_stop();
  m_first_races.request_stop();
}

std::stop_token EvaluationEnds::of(EvaluationKind kind) const {
  if (comes_at_first(kind)) return m_first_races.get_token();
  return decides_candidate(kind) ? m_candidates.get_token() : m_stop;
}

}  // namespace robust_kbench
