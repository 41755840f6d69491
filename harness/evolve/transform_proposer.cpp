#include "evolve/transform_proposer.hpp"

#include <utility>

namespace robust_kbench {

TransformProposer::TransformProposer(bool cuda, RemarksOf remarks_of)
    : m_cuda(cuda), m_remarks_of(std::move(remarks_of)) {}

void TransformProposer::look_at(const Candidate& parent) {
  if (parent.hash == m_parent) return;
  m_parent = parent.hash;
  m_edits = transforms_of(parent.text, m_cuda, m_remarks_of(parent));
}

std::optional<Proposal> TransformProposer::propose(const ProposalRequest& request) {
  look_at(request.parent);
  const Transform* best = nullptr;
  for (const Transform& edit : m_edits) {
    if (m_proposed.contains(edit.source)) continue;
    if (best == nullptr || m_refused[edit.rule] < m_refused[best->rule]) best = &edit;
  }
  if (best == nullptr) return std::nullopt;
  m_proposed[best->source] = best->rule;
  return Proposal{.text = best->source,
                  .strategy = best->rule + ": " + best->summary,
                  .settings = {{"rule", best->rule}, {"line", best->line}}};
}

void TransformProposer::learn(const ProposalResult& result) {
  if (!result.accepted) ++m_refused[m_proposed.at(result.text)];
}

}  // namespace robust_kbench
