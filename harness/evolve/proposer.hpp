#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "evolve/candidate.hpp"
#include "evolve/journal.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// What a proposer may build on.
struct ProposalRequest {
  const Candidate& parent;                // the fastest right kernel so far
  std::vector<const Candidate*> context;  // other right kernels, fastest first
  std::int64_t id = 0;                    // that the proposal will have
};

struct Proposal {
  std::string text;                                    // of the whole source
  std::string strategy;                                // one line for people
  nlohmann::json settings = nlohmann::json::object();  // values of tunables, a model's parameters
};

// What became of a proposal.
struct ProposalResult {
  std::string text;
  bool accepted = false;
  std::optional<double> speedup;  // over its parent, where both were timed
};

// A source of new kernels. Its answers are a pure function of what it was asked and told, but for
// effects that it has recorded in the run's journal.
class Proposer {
 public:
  virtual ~Proposer() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  // None where it knows nothing (further) for this parent.
  virtual std::optional<Proposal> propose(const ProposalRequest& request) = 0;
  // The text that it would propose if `refused`, its own or another's, is refused. Nothing depends
  // on it, so it may be wrong, or nothing where it does not know.
  [[nodiscard]] virtual std::optional<std::string> foresee(const ProposalRequest& request,
                                                           const std::string& refused) const {
    (void)request;
    (void)refused;
    return std::nullopt;
  }
  // Whether it is asked before all others, which take turns.
  [[nodiscard]] virtual bool comes_first() const { return false; }
  // Called for each of its proposals.
  virtual void learn(const ProposalResult& result) { (void)result; }
};

}  // namespace robust_kbench
