#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "prompt/failure_report.hpp"
#include "prompt/proposal_request.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// A kernel as a proposer hands it to a run.
struct Proposal {
  std::string text;                                    // of the whole source; empty: see `refused`
  std::string strategy;                                // one line for people
  nlohmann::json settings = nlohmann::json::object();  // values of tunables, a model's parameters
  std::string refused = {};                            // why there is no source, for people
  std::vector<std::int64_t> further_parents = {};      // ids, beside that of the parent
};

// The outcome of a proposal.
struct ProposalResult {
  std::string text;
  bool accepted = false;
  std::optional<double> speedup = {};  // as in TriedStrategy
  std::int64_t id = 0;
  ProposalFailure failure = {};  // for which it was refused
};

// Facts by which a run decides when it asks a proposer.
struct ProposerFacts {
  std::string name;
  bool takes_long = false;   // as a language model does; its jobs run beside each other
  bool comes_first = false;  // it is asked before all others, which take turns
  // The proposer may be asked before the parent's profile is known. It may then know more later.
  bool works_without_profile = false;
  double share = 1;  // turns that it has for one of a proposer with a share of 1 (turns.hpp)
};

// The reason for which a proposer proposes nothing more.
struct Silence {
  std::string reason = {};  // for people; empty: it has not said
  // Whether the run must end for this reason. A reason that an earlier process of the run was told
  // does not count, so that a run which is resumed tries again.
  bool ends_run = false;
};

// A source of new kernels. Its answers are a pure function of the requests and outcomes that it was
// told, but for effects in the run's journal.
class Proposer {
 public:
  // Makes a proposal. Where that takes long, another thread does so.
  using Job = std::function<Proposal()>;

  explicit Proposer(ProposerFacts facts) : m_facts(std::move(facts)) {}
  virtual ~Proposer() = default;

  [[nodiscard]] const ProposerFacts& facts() const { return m_facts; }
  // Begins a proposal; none where the proposer knows nothing (further) for this parent. The request
  // outlives the job.
  virtual std::optional<Job> begin(const ProposalRequest& request) = 0;
  // Learns the outcome of one of its proposals. Called once for each.
  virtual void learn(const ProposalResult& result) { (void)result; }

  [[nodiscard]] virtual Silence silence() const { return {}; }
  // A copy, by which a run can foresee the next proposal; none of a proposer whose begin() has
  // effects.
  [[nodiscard]] virtual std::unique_ptr<Proposer> copy() const { return nullptr; }

 protected:
  Proposer(const Proposer&) = default;
  Proposer& operator=(const Proposer&) = default;

  // The job of a proposal that is made already.
  static Job job_of(Proposal proposal) {
    return [proposal = std::move(proposal)] { return proposal; };
  }

 private:
  ProposerFacts m_facts;
};

}  // namespace robust_kbench
