#include "evolve/parent_profile.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace robust_kbench {

bool ParentProfile::is_known() const {
  return !m_plan.settings.profile || m_known.contains(m_lineage.parent().id);
}

void ParentProfile::take(const Candidate& parent) {
  m_known.insert(parent.id);
  ProposalRow row = m_log.row(parent.id);
  m_lineage.keep_profile(parent.id, m_gate.profile(parent, row));
  m_log.save(row);
}

// A recorded run may be older than the choice to profile beside samples.
bool ParentProfile::goes_beside(const Candidate& parent) const {
  if (m_plan.side_by_side == 1 || m_plan.votes.ranks() || !m_proposers_can_wait) return false;
  const std::string key = fmt::format("profiled_beside/{}", parent.id);
  if (m_journal.replays() && !m_journal.find(key)) return false;
  return m_journal.once(key, [&] { return nlohmann::json(m_gate.may_profile_ahead(parent)); });
}

void ParentProfile::begin(RunningSamples& running) {
  const Candidate& parent = m_lineage.parent();
  if (is_known() || running.any_beside()) return;
  if (!goes_beside(parent)) {
    take(parent);
    return;
  }
  m_looked_at = &parent;
  running.start_beside([this, &parent] { m_gate.profile_ahead(parent); });
}

bool ParentProfile::is_awaited(const RunningSamples& running) const {
  return !is_known() && running.size() >= std::max(1, m_plan.side_by_side / 2);
}

}  // namespace robust_kbench
