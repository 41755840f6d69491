#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "prompt/failure_report.hpp"
#include "prompt/proposal_request.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

struct Proposal {
  std::string text;                                    // of the whole source; empty: see `refused`
  std::string strategy;                                // one line for people
  nlohmann::json settings = nlohmann::json::object();  // values of tunables, a model's parameters
  std::string refused = {};                            // why there is no source, for people
  std::vector<std::int64_t> further_parents = {};      // ids, beside that of the parent
};

// What became of a proposal.
struct ProposalResult {
  std::string text;
  bool accepted = false;
  std::optional<double> speedup = {};  // as in TriedStrategy
  std::int64_t id = 0;
  ProposalFailure failure = {};  // for which it was refused
};

// A source of new kernels. Its answers are a pure function of what it was asked and told, but for
// effects that it has recorded in the run's journal.
class Proposer {
 public:
  virtual ~Proposer() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  // None where it knows nothing (further) for this parent.
  virtual std::optional<Proposal> propose(const ProposalRequest& request) {
    (void)request;
    return std::nullopt;
  }
  // The text that it would propose if `refused`, its own or another's, is refused. Nothing depends
  // on it, so it may be wrong, or nothing where it does not know.
  [[nodiscard]] virtual std::optional<std::string> foresee(const ProposalRequest& request,
                                                           const std::string& refused) const {
    (void)request;
    (void)refused;
    return std::nullopt;
  }
  // Makes a proposal in another thread.
  using Job = std::function<Proposal()>;
  // Whether it takes long, as a language model does. Then begin() is called in place of propose().
  [[nodiscard]] virtual bool takes_long() const { return false; }
  // None where it knows nothing for now. The request outlives the job, and jobs run beside each
  // other.
  virtual std::optional<Job> begin(const ProposalRequest& request) {
    (void)request;
    return std::nullopt;
  }
  // How many turns it has for one of a proposer with a share of 1 (turns.hpp).
  [[nodiscard]] virtual double share() const { return 1; }
  // Why it proposes nothing more, for people; empty: it has not said.
  [[nodiscard]] virtual std::string silence() const { return ""; }
  // Why the run must end; none: it may go on. What an earlier process of the run was told does not
  // count. A run that is resumed tries again.
  [[nodiscard]] virtual std::optional<std::string> ends_run() const { return std::nullopt; }
  // Whether it may be asked before the parent's profile is known. It may then know more later.
  [[nodiscard]] virtual bool works_without_profile() const { return false; }
  // Whether it is asked before all others, which take turns.
  [[nodiscard]] virtual bool comes_first() const { return false; }
  // Called for each of its proposals.
  virtual void learn(const ProposalResult& result) { (void)result; }
};

}  // namespace robust_kbench
