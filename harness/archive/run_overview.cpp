#include "archive/run_overview.hpp"

#include <algorithm>

#include "archive/lineage.hpp"

namespace robust_kbench {

RunOverview overview_of(const Archive& archive, const RunRow& run) {
  const std::vector<ProposalRow> proposals = archive.proposals(run.id);
  RunOverview overview{.run = run, .state = run.state, .proposals = proposals.size()};
  if (run.state == "running" && !archive.writer_of(run.id)) overview.state = "interrupted";
  for (const ProposalRow& proposal : proposals) {
    if (proposal.outcome != "accepted") continue;
    ++overview.accepted;
    const std::optional<double> speedup = speedup_over_seed(proposals, proposal.id);
    overview.best_speedup = std::max(overview.best_speedup, speedup);
  }
  return overview;
}

}  // namespace robust_kbench
