#include "archive/lineage.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace robust_kbench {

std::vector<ProposalRow> lineage(const std::vector<ProposalRow>& proposals, std::int64_t id) {
  std::vector<ProposalRow> found;
  while (found.size() < proposals.size()) {
    const auto at = std::ranges::lower_bound(proposals, id, {}, &ProposalRow::id);
    if (at == proposals.end() || at->id != id) break;
    found.push_back(*at);
    if (at->parents.empty()) return found;
    id = at->parents.front();
  }
  throw UserError("the lineage of proposal " + std::to_string(id) +
                  " is broken: an ancestor is missing or its own descendant; export the run and "
                  "look at its parents");
}

std::optional<double> speedup_over_seed(const std::vector<ProposalRow>& proposals,
                                        std::int64_t id) {
  std::vector<ProposalRow> line = lineage(proposals, id);
  line.pop_back();  // the seed
  double product = 1;
  for (const ProposalRow& proposal : line) {
    if (!proposal.speedup) return std::nullopt;
    product *= *proposal.speedup;
  }
  return product;
}

}  // namespace robust_kbench
