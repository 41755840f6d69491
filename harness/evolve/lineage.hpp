#pragma once

#include <deque>
#include <vector>

#include "evolve/candidate.hpp"

namespace robust_kbench {

// The right kernels of a run. Their addresses stay.
class Lineage {
 public:
  // With what the race of the seeds has left, fastest first. Called once, before all else.
  void begin(std::vector<Candidate> right_seeds, Candidate first_parent);

  [[nodiscard]] const Candidate& first() const { return *m_parents.front(); }
  [[nodiscard]] const Candidate& parent() const { return *m_parents.back(); }  // the fastest
  // The first parent, then the accepted children, slowest first.
  [[nodiscard]] const std::vector<const Candidate*>& parents() const { return m_parents; }
  [[nodiscard]] const std::vector<Candidate>& right_seeds() const { return m_right_seeds; }
  // What a proposer may look at beside the parent (context_kernels.hpp).
  [[nodiscard]] std::vector<const Candidate*> context() const;

  // Its place is by its cost: another may have been accepted since it began, and be faster still.
  void accept(Candidate child);
  // A child that was right in all cases, and no faster than its parent.
  void add_outraced(Candidate child);
  // Goes back to the parent before. There is one.
  void drop_parent() { m_parents.pop_back(); }

 private:
  std::vector<Candidate> m_right_seeds;
  std::deque<Candidate> m_accepted;  // and the first parent
  std::vector<const Candidate*> m_parents;
  std::deque<Candidate> m_outraced;
};

}  // namespace robust_kbench
