#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "evaluate/starting_source.hpp"
#include "prompt/local_headers.hpp"
#include "prompt/model_session.hpp"
#include "prompt/prompt_data.hpp"
#include "prompt/prompt_subject.hpp"
#include "propose/model_settings.hpp"
#include "propose/proposer.hpp"

namespace robust_kbench {

// The models that are asked, and the parts of their prompts.
struct LlmProposerOptions {
  const ModelSettings& settings;  // `models` names at least one
  int seed = 1;                   // of every draw
  PromptSubject subject;
  StartingSource example;
  std::vector<LocalHeader> headers = {};  // of the kernels that the run begins with
  // The reason for which no model may be asked any more, as where a cap is reached; none: one may.
  std::function<std::optional<std::string>()> refused;
  // The reason for which the run must end, as where a bill exceeded its reservation; none: it may
  // go on.
  std::function<std::optional<std::string>()> stopped;
};

// Asks language models for whole sources. The model, its temperature and effort, and the
// recommendations in the prompt are drawn for each proposal, by the run's seed. A proposal that
// fails is sent back for one repair, which counts as a proposal. After an answer without a source
// the whole task is asked again.
class LlmProposer : public Proposer {
 public:
  // Questions in a row without a kernel after which it proposes nothing more, until the run is
  // resumed. Questions that were not granted do not count.
  static constexpr int most_failures = 8;

  // The references outlive this object.
  LlmProposer(LlmProposerOptions options, ModelSession& session);

  std::optional<Job> begin(const ProposalRequest& request) override;
  void learn(const ProposalResult& result) override;
  [[nodiscard]] Silence silence() const override;

 private:
  // A question whose proposal is not decided yet.
  struct Asked {
    ModelChoice choice;
    bool counts = true;      // as a failure if it fails: no earlier process of the run has asked it
    bool may_repair = true;  // it is no repair itself
    bool was_granted = true;
    std::optional<std::string> malformed = {};  // the answer, where it has no kernel
    bool has_source = true;  // the answer has something like one; else all is asked again
  };
  // A proposal that is sent back.
  struct Failed {
    std::int64_t id;
    FailedProposal proposal;
    Asked asked;
  };

  [[nodiscard]] ModelChoice draw(std::int64_t id) const;
  bool may_begin();
  void count_failures(const Asked& asked, const ProposalResult& result);
  Proposal propose_new(const ProposalRequest& request, const ModelChoice& choice,
                       const std::optional<FailedProposal>& earlier);
  Proposal propose_again(const ProposalRequest& request, const Failed& failed);
  Proposal repair(const ProposalRequest& request, const Failed& failed);
  Proposal read(const ModelReply& reply, const ModelChoice& choice, std::int64_t id);
  std::vector<std::string> advice_on(const Candidate& parent);

  const LlmProposerOptions m_options;
  ModelSession& m_session;
  std::deque<Failed> m_to_repair;
  std::string m_silence;
  int m_failures = 0;                     // in a row
  std::mutex m_mutex;                     // of the next one, in which jobs write
  std::map<std::int64_t, Asked> m_asked;  // by proposal
  std::mutex m_summarising;
};

}  // namespace robust_kbench
