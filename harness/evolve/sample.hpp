#pragma once

#include <future>
#include <optional>

#include "archive/archive.hpp"
#include "evolve/gate.hpp"
#include "propose/proposer_round.hpp"
#include "verify/votes.hpp"

namespace robust_kbench {

// A proposal on its way through a run.
struct Sample {
  // A sample waits as `ranked` where votes rank its generation.
  enum class Phase { being_made, ranked, being_evaluated };

  ProposalRequest request;
  ProposalRow row = {};
  BegunProposal begun = {};
  int candidates = 0;  // of the run, this one included
  Candidate child = {};
  std::optional<Votes> votes = {};
  Gate::Result result = {};
  Phase phase = Phase::being_made;
  std::future<void> done = {};  // of the phase

  [[nodiscard]] bool is_decided() const { return row.outcome != ProposalOutcome::open; }
};

// Whether votes kept the proposal from the tests.
bool was_kept_back(const ProposalRow& row);

// Whether the tests of a row's kernel have begun, whatever they said.
bool was_tested(const ProposalRow& row);

}  // namespace robust_kbench
