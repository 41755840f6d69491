#pragma once

#include <functional>

#include "evolve/settings.hpp"
#include "prompt/candidate.hpp"
#include "verify/verification.hpp"

namespace robust_kbench {

// The power of verifiers over proposals: which of these go on to the tests. Where they decide, they
// see compiled proposals alone.
struct VotePlan {
  enum class Power {
    none,      // none is kept back
    rank,      // of each generation, so many with the best votes go on
    majority,  // those that more verifiers call valid than wrong
  };

  Power power = Power::none;
  int evaluated = 4;
  // Asks for votes, in several threads at the same time. None: nobody votes.
  std::function<Votes(const Candidate& child)> votes_on = {};

  [[nodiscard]] bool ranks() const { return votes_on && power == Power::rank; }
};

// Whether verifiers are asked. `auto` asks none: where a run evaluates, compiler and tests say more
// and cost nothing (docs/verifiers.md).
bool asks_verifiers(const EvolutionSettings& settings);

// The power of votes where verifiers are asked. An audit keeps nothing back.
VotePlan::Power vote_power(const EvolutionSettings& settings);

// The way in which verifiers are asked. Throws UserError for instructions that are no text of a
// verifier.
VerifierOptions verifier_options(const EvolutionSettings& settings);

}  // namespace robust_kbench
