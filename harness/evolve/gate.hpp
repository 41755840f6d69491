#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "archive/journal.hpp"
#include "evolve/evaluation_backend.hpp"
#include "evolve/settings.hpp"
#include "evolve/time_limit.hpp"

namespace robust_kbench {

// Removes the speed-up from the row of a kernel that turned out to be wrong.
void forget_speedup(ProposalRow& row);

// The way of a proposal, stage by stage, each of which can end it:
//   parsed      its options are allowed and its tunables can be read, its frozen regions are as
//               they were, it was not tried before
//   compiled    and audited; the same machine code was not tried before
//   tested      the listed cases with one seed
//   raced       against its parent, which ends as soon as it is lost
//   tested      all cases; a CUDA kernel also under memcheck, on one of them
//   raced       again with new workers, as often as the number of candidates demands
class Gate {
 public:
  struct Result {
    bool accepted = false;
    bool is_right = false;                    // in all cases and races, accepted or not
    std::vector<ConfigTimingRecord> timings;  // of the last race
  };

  // `save` is called with the row after each stage. The references outlive this object.
  Gate(const EvolutionSettings& settings, Journal& journal, TimeLimit& limit,
       EvaluationBackend& backend, Archive& archive, std::function<void(const ProposalRow&)> save);

  // Adds a source that no proposal may repeat.
  void know(const Candidate& candidate, const std::string& object_hash);
  void know_tokens(const std::string& token_hash) { m_tokens.insert(token_hash); }

  // Takes a proposal through the stages until it is compiled, before others decide whether it goes
  // on. False where the proposal ends there.
  bool build(const Candidate& child, const Candidate& parent, ProposalRow& row);

  // Takes a proposal through all stages, and fills in its row. `candidates` counts those of the
  // run, this one included. Several may pass at a time, which makes the journal say which of two
  // equal ones came first. A proposal that has passed build() goes on from there. Throws
  // TimeIsOver, as build() does.
  Result pass(const Candidate& child, const Candidate& parent, int candidates, ProposalRow& row);

  // The evaluation that the journal has, or a new one. `attempt` tells equal ones apart.
  Evaluation evaluate(EvaluationKind kind, const Candidate& candidate,
                      const std::map<std::string, const Candidate*>& rivals, int attempt,
                      ProposalRow& row);

  // Tests all cases of a kernel that compiles, then one of them under memcheck, where they passed
  // on a GPU. Returns the last evaluation.
  Evaluation test(const Candidate& candidate, ProposalRow& row);

  // The profile of a right kernel, which its record holds from then on; nothing where the settings
  // leave it out.
  std::optional<ProfileRecord> profile(const Candidate& candidate, ProposalRow& row);
  // Makes the profile beforehand, in any thread. The journal keeps it for profile().
  void profile_ahead(const Candidate& candidate);
  // Whether profile_ahead() takes its time, and others may be evaluated meanwhile.
  [[nodiscard]] bool may_profile_ahead(const Candidate& candidate) const;

  // The seconds of all evaluations, those of the journal included.
  [[nodiscard]] double evaluation_seconds() const;

 private:
  using Rivals = std::map<std::string, const Candidate*>;
  [[nodiscard]] std::string key_of(EvaluationKind kind, const Candidate& candidate,
                                   const Rivals& rivals, int attempt) const;
  // The evaluation of the journal, which is made now if it is not there yet.
  Evaluation effect(EvaluationKind kind, const Candidate& candidate, const Rivals& rivals,
                    int attempt);
  // These four return false where the proposal ends there.
  bool parse(const Candidate& child, const Candidate& parent, ProposalRow& row);
  bool compile(const Candidate& child, ProposalRow& row);
  bool take(const Evaluation& evaluation, ProposalRow& row, ProposalStage stage);
  bool race(const Candidate& child, const Candidate& parent, EvaluationKind kind, int attempt,
            ProposalRow& row, Result& result);
  void refuse(ProposalRow& row, const std::string& reason_class, const std::string& reason) const;
  // Whether no earlier source of the run has this hash, of its tokens or its library.
  bool is_new(const std::set<std::string>& known, const std::string& what, const std::string& hash,
              std::int64_t id);

  const EvolutionSettings& m_settings;
  Journal& m_journal;
  TimeLimit& m_limit;
  EvaluationBackend& m_backend;
  Archive& m_archive;
  const std::function<void(const ProposalRow&)> m_save;
  std::set<std::string> m_tokens;   // of what was there before the first proposal
  std::set<std::string> m_objects;  // of its libraries
  mutable std::mutex m_mutex;
  double m_evaluation_seconds = 0;
};

}  // namespace robust_kbench
