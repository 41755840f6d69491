#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "archive/journal.hpp"
#include "propose/proposer.hpp"
#include "propose/turns.hpp"

namespace robust_kbench {

// A proposal that is on its way.
struct BegunProposal {
  Proposer* proposer = nullptr;
  Proposer::Job job = {};
};

// The proposers of a run. Some come first, and the others take turns. The models that may be asked
// by now may decide which one begins a proposal. So the journal keeps it where any takes long.
class ProposerRound {
 public:
  // The journal outlives this object.
  ProposerRound(std::vector<std::unique_ptr<Proposer>> proposers, Journal& journal);

  // Whether all of them may be asked before the parent's profile is known.
  [[nodiscard]] bool works_without_profile() const;

  // Whether an earlier process of the run, or the recorded one, has begun this proposal.
  [[nodiscard]] bool has_begun(std::int64_t id) const;
  // Begins a proposal by the one whose turn it is; none where nobody knows anything for now. The
  // request outlives the proposal.
  std::optional<BegunProposal> begin(const ProposalRequest& request);
  // Foresees the text that is proposed next if `refused` is refused; none where the one whose turn
  // it is does not know it. Nothing depends on it.
  [[nodiscard]] std::optional<std::string> foresee(const ProposalRequest& request,
                                                   const std::string& refused) const;

  // The reason for which nobody knows anything more, at this step of the loop.
  [[nodiscard]] std::string nothing_more(int step) const;
  // The reason for which a proposer that takes long ends the run before this proposal; none: the
  // run goes on.
  [[nodiscard]] std::optional<std::string> reason_to_end(std::int64_t next_id, int step) const;

 private:
  std::optional<BegunProposal> begin_by(Proposer& proposer, const ProposalRequest& request);

  const std::vector<std::unique_ptr<Proposer>> m_proposers;
  Journal& m_journal;
  const bool m_takes_long;           // any does
  std::vector<Proposer*> m_sharing;  // those that take turns
  Turns m_turns;                     // theirs
};

}  // namespace robust_kbench
