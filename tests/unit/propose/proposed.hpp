#pragma once

#include <optional>

#include "propose/proposer.hpp"

namespace robust_kbench {

// The proposal with which a proposer answers a request; none: it knows nothing.
inline std::optional<Proposal> proposed(Proposer& proposer, const ProposalRequest& request) {
  const std::optional<Proposer::Job> job = proposer.begin(request);
  return job ? std::optional((*job)()) : std::nullopt;
}

}  // namespace robust_kbench
