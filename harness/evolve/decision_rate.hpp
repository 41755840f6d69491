#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace robust_kbench {

// Measures how fast a run decides candidates, by readings of its clock. A candidate that begins or
// is decided between two readings has the time of the later one.
class DecisionRate {
 public:
  void begin(std::int64_t id) { m_begun[id] = m_now; }
  void decide(std::int64_t id) { m_just_decided.push_back(id); }
  void give_up(std::int64_t id) { m_begun.erase(id); }  // it is never decided
  void read_clock(double seconds);

  [[nodiscard]] int decided() const { return m_decided; }
  // Decisions per minute from the first candidate's beginning to the last decision; none before two
  // readings differ.
  [[nodiscard]] std::optional<double> per_minute() const;
  // Seconds of the run until the first decision; none before that.
  [[nodiscard]] std::optional<double> first_decided() const { return m_first_decided; }
  // Seconds that a candidate is likely to take from its beginning to its decision: three of four of
  // the latest took no longer. It is `first_guess` where none is decided yet.
  [[nodiscard]] double candidate_seconds(double first_guess) const;

 private:
  double m_now = 0;
  std::map<std::int64_t, double> m_begun;  // seconds, by id
  std::vector<std::int64_t> m_just_decided;
  std::deque<double> m_latest;  // from beginning to decision
  std::optional<double> m_first_begun, m_first_decided;
  double m_last_decided = 0;
  int m_decided = 0;
};

}  // namespace robust_kbench
