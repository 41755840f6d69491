#include "propose/combine_proposer.hpp"

#include "core/line_merge.hpp"

#include <fmt/format.h>

namespace robust_kbench {

std::optional<Proposer::Job> CombineProposer::begin(const ProposalRequest& request) {
  if (m_is_waiting) return std::nullopt;
  const Candidate& parent = request.parent;
  for (const MissedGain& missed : request.missed) {
    if (!m_tried.emplace(parent.id, missed.gain->id).second) continue;
    const auto text = merged(missed.base->text, parent.text, missed.gain->text);
    if (!text || *text == parent.text) continue;
    m_is_waiting = true;
    return job_of({.text = *text,
                   .strategy = fmt::format("{}, and {}", parent.name, missed.gain->name),
                   .further_parents = {missed.gain->id}});
  }
  return std::nullopt;
}

void CombineProposer::learn(const ProposalResult& /*result*/) {
  m_is_waiting = false;
}

}  // namespace robust_kbench
