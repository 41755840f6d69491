#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "prompt/candidate.hpp"

namespace robust_kbench {

// A strategy that was tried, with its outcome.
struct TriedStrategy {
  std::string strategy;
  std::string outcome;  // "accepted", or the class of the reason for which it was refused
  // The speed-up over its parent, where both were timed and it was not found wrong.
  std::optional<double> speedup = {};
  std::int64_t id = 0;      // of the proposal
  std::string reason = {};  // for which it was refused, in one line
};

// An accepted child whose gain the parent lacks, since it was found beside the parent's own.
struct MissedGain {
  const Candidate* gain;
  const Candidate* base;  // the last ancestor that it has in common with the parent
};

// A request to a proposer, with all that it may build on.
struct ProposalRequest {
  const Candidate& parent;                // the fastest right kernel so far
  std::vector<const Candidate*> context;  // other right kernels, fastest first
  std::int64_t id = 0;                    // that the proposal will have
  std::vector<TriedStrategy> tried = {};  // the latest last
  std::vector<MissedGain> missed = {};    // in the order in which they were accepted
  // An earlier process of the run, or the recorded one, has begun this proposal. Then begin() knows
  // it, whatever may be asked now.
  bool has_begun = false;
};

}  // namespace robust_kbench
