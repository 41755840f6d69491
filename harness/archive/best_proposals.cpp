#include "archive/best_proposals.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "archive/lineage.hpp"
#include "archive/standing.hpp"
#include "archive/stored_record.hpp"

namespace robust_kbench {
namespace {

bool compete(const BestProposal& one, const BestProposal& other) {
  return one.run.entry == other.run.entry && one.run.device == other.run.device &&
         one.proposal.gpu == other.proposal.gpu;
}

// Lower ranks are better.
std::pair<double, double> rank_of(const BestProposal& proposal) {
  return {proposal.kernel_us.value_or(std::numeric_limits<double>::infinity()),
          -proposal.speedup.value_or(0)};
}

}  // namespace

std::vector<BestProposal> best_proposals(const Archive& archive, const std::string& task) {
  std::vector<BestProposal> best;
  for (const RunRow& run : archive.runs()) {
    if (!task.empty() && run.entry.task != task) continue;
    const std::vector<ProposalRow> proposals = archive.proposals(run.id);
    for (const ProposalRow& proposal : proposals) {
      if (!is_accepted(proposal)) continue;
      BestProposal candidate{run, proposal, {}, speedup_over_seed(proposals, proposal.id)};
      if (const auto record = record_of(archive, proposal)) {
        candidate.kernel_us = mean_kernel_us(*record);
      }
      const auto rival = std::ranges::find_if(
          best, [&](const BestProposal& other) { return compete(candidate, other); });
      if (rival == best.end()) {
        best.push_back(candidate);
      } else if (rank_of(candidate) < rank_of(*rival)) {
        *rival = candidate;
      }
    }
  }
  return best;
}

}  // namespace robust_kbench
