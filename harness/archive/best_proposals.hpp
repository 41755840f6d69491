#pragma once

#include <optional>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "archive/rows.hpp"

namespace robust_kbench {

// The fastest accepted proposal of an entry on a device.
struct BestProposal {
  RunRow run;
  ProposalRow proposal;
  std::optional<double> kernel_us;  // mean_kernel_us() of its record
  std::optional<double> speedup;    // speedup_over_seed() in its run
};

// One for each entry, device and GPU, in the order of their first runs. Among proposals of several
// runs the least time wins, since their seeds may differ. Proposals without a time come last, in
// the order of their speed-ups. `task` empty: of every task.
std::vector<BestProposal> best_proposals(const Archive& archive, const std::string& task);

}  // namespace robust_kbench
