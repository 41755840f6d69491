#pragma once

#include <functional>
#include <stop_token>

#include "evolve/evaluation.hpp"

namespace robust_kbench {

// When evaluations of each kind end: at `stop` all of them, at `search` those that decide a
// candidate, at `first_races` those that come before others.
class EvaluationEnds {
 public:
  EvaluationEnds(const std::stop_token& stop, const std::stop_token& search,
                 const std::stop_token& first_races);

  [[nodiscard]] std::stop_token of(EvaluationKind kind) const;
  // The end of evaluations that decide a candidate.
  [[nodiscard]] std::stop_token of_candidates() const { return m_candidates.get_token(); }
  void end_candidates();

 private:
  const std::stop_token m_stop;
  std::stop_source m_candidates;
  std::stop_source m_first_races;
  const std::stop_callback<std::function<void()>> m_stopping;
  const std::stop_callback<std::function<void()>> m_ending_search;
  const std::stop_callback<std::function<void()>> m_ending_first_races;
};

}  // namespace robust_kbench
