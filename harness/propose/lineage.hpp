#pragma once

#include <deque>
#include <optional>
#include <set>
#include <vector>

#include "prompt/proposal_request.hpp"

namespace robust_kbench {

// The right kernels of a run. Their addresses stay.
class Lineage {
 public:
  // Begins with the right starts, fastest first. Called once, before all else.
  void begin(std::vector<Candidate> right_starts, Candidate first_parent);

  [[nodiscard]] const Candidate& first() const { return *m_parents.front(); }
  [[nodiscard]] const Candidate& parent() const { return *m_parents.back(); }  // the fastest
  // The first parent, then the accepted children, slowest first.
  [[nodiscard]] const std::vector<const Candidate*>& parents() const { return m_parents; }
  [[nodiscard]] const std::vector<Candidate>& right_starts() const { return m_right_starts; }
  // Kernels that a proposer may look at beside the parent, fastest first. All have passed all
  // cases: the parents before it, the right starts, and the 20 fastest of those that lost a later
  // race.
  [[nodiscard]] std::vector<const Candidate*> context() const;

  // Accepted children whose gains the parent lacks, but for those that were dropped.
  [[nodiscard]] std::vector<MissedGain> missed_gains() const;

  // Puts an accepted child in its place by its cost. Another may have been accepted since it began,
  // and be faster still.
  void accept(Candidate child);
  // Keeps the profile of the first parent, or of an accepted child.
  void keep_profile(std::int64_t id, std::optional<ProfileRecord> profile);
  // Adds a child that was right in all cases, and no faster than its parent.
  void add_outraced(Candidate child);
  // Goes back to the parent before. There is one.
  void drop_parent() { m_parents.pop_back(); }

 private:
  [[nodiscard]] const Candidate& accepted(std::int64_t id) const;
  // Ids of the kernel and of all that it was made from.
  [[nodiscard]] std::set<std::int64_t> line_of(const Candidate& kernel) const;
  // The nearest kernel that this one was made from and that is in the line.
  [[nodiscard]] const Candidate& last_in(const std::set<std::int64_t>& line,
                                         const Candidate& kernel) const;

  std::vector<Candidate> m_right_starts;
  std::deque<Candidate> m_accepted;  // and the first parent
  std::vector<const Candidate*> m_parents;
  std::deque<Candidate> m_outraced;
};

}  // namespace robust_kbench
