#include "archive/run_overview.hpp"

#include <algorithm>

#include "archive/lineage.hpp"
#include "archive/standing.hpp"

namespace robust_kbench {

RunOverview overview_of(const Archive& archive, const RunRow& run) {
  const std::vector<ProposalRow> proposals = archive.proposals(run.id);
  RunOverview overview{.run = run, .state = run.state, .proposals = proposals.size()};
  if (run.state == RunState::running && !archive.writer_of(run.id))
    overview.state = RunState::interrupted;
  for (const ProposalRow& proposal : proposals) {
    if (!is_accepted(proposal)) continue;
    ++overview.accepted;
    if (run.winner != 0 && proposal.id != run.winner) continue;
    const std::optional<double> speedup = speedup_over_seed(proposals, proposal.id);
    overview.in_search = std::max(overview.in_search, speedup);
  }
  if (has_confirmed_winner(run)) {
    const auto parent = run.summary.at("confirmed").find("parent");
    if (parent != run.summary.at("confirmed").end()) overview.confirmed = parent->at("ratio");
  }
  return overview;
}

}  // namespace robust_kbench
