#include "propose/transform_proposer.hpp"

#include <algorithm>

#include "propose/profile_remarks.hpp"

namespace robust_kbench {

void TransformProposer::look_at(const Candidate& parent) {
  if (parent.hash == m_parent && parent.profile.has_value() == m_knows_profile) return;
  m_parent = parent.hash;
  m_knows_profile = parent.profile.has_value();
  const ProfileRecord profile = parent.profile.value_or(ProfileRecord{});
  m_edits =
      transforms_of(parent.text, m_cuda, profile_remarks(profile, parent.kernel.sources.front()));
  const auto earlier = [&](const Transform& a, const Transform& b) {
    return rank_by_advice(a.rule, profile.advice) < rank_by_advice(b.rule, profile.advice);
  };
  std::stable_sort(m_edits.begin(), m_edits.end(), earlier);
}

std::optional<Proposer::Job> TransformProposer::begin(const ProposalRequest& request) {
  look_at(request.parent);
  const Transform* best = nullptr;
  for (const Transform& edit : m_edits) {
    if (m_proposed.contains(edit.source)) continue;
    if (best == nullptr || m_refused[edit.rule] < m_refused[best->rule]) best = &edit;
  }
  if (best == nullptr) return std::nullopt;
  m_proposed[best->source] = best->rule;
  return job_of({.text = best->source,
                 .strategy = best->rule + ": " + best->summary,
                 .settings = {{"rule", best->rule}, {"line", best->line}}});
}

void TransformProposer::learn(const ProposalResult& result) {
  const auto proposed = m_proposed.find(result.text);
  if (proposed != m_proposed.end() && !result.accepted) ++m_refused[proposed->second];
}

}  // namespace robust_kbench
