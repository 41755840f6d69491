#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <stop_token>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "evolve/gate.hpp"
#include "evolve/proposer.hpp"
#include "evolve/run_log.hpp"
#include "evolve/settings.hpp"
#include "evolve/stop_rule.hpp"
#include "evolve/tuning_report.hpp"
#include "evolve/turns.hpp"
#include "evolve/verifier_audit.hpp"
#include "evolve/vote_plan.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// What a run starts from.
struct EvolutionPlan {
  Entry entry;
  Device device = Device::cpu;
  EvolutionSettings settings;
  // Right or not: they are tested first. Their ids are 1, 2, ... in this order.
  std::vector<Candidate> seeds;
  std::string first_parent;                 // name of a seed; empty: the fastest right one
  std::vector<std::string> refused_before;  // token hashes of what is not tried again
  std::string plain;            // name of the seed that is the task's plain kernel; empty: none
  int side_by_side = 1;         // proposals that are made at a time
  int evaluated_at_a_time = 1;  // of these
  VotePlan votes = {};
};

// Finds faster kernels of one entry. All that happens goes through the journal, so a run that was
// killed goes on by running it again on the same archive and run.
class Evolution {
 public:
  // `run` is a run of the archive. The references outlive this object.
  Evolution(EvolutionPlan plan, Archive& archive, const std::string& run, Journal& journal,
            CandidateEvaluator& evaluator, std::vector<std::unique_ptr<Proposer>> proposers,
            RunLog::OnEvent on_event = {});

  // Ends by a budget, a plateau, the least possible time, proposers that know nothing more, or a
  // request to stop, which leaves the run `interrupted`. Returns the run's row with its summary.
  // Throws UserError where no seed is right.
  RunRow run(const std::stop_token& stop = {});

 private:
  // A sample waits between the two where votes rank its generation.
  enum class Phase { being_made, ranked, being_evaluated };
  // A proposal on its way. A thread of its own makes and evaluates it, where others do so
  // meanwhile.
  struct Sample {
    ProposalRequest request;
    ProposalRow row = {};
    Proposer* proposer = nullptr;
    std::optional<Proposal> proposal = {};  // none: `job` makes it
    Proposer::Job job = {};
    int candidates = 0;  // of the run, this one included
    Candidate child = {};
    std::optional<Votes> votes = {};
    Gate::Result result = {};
    Phase phase = Phase::being_made;
    std::future<void> done = {};  // of the phase
  };

  void race_seeds();
  double elapsed_seconds();
  std::optional<std::string> reason_to_stop();
  [[nodiscard]] std::string nothing_more() const;
  // Why proposers that take long end the run.
  [[nodiscard]] std::optional<std::string> reason_of_proposers() const;
  // Begins samples while there is room for them and a proposer knows one. Where votes rank, those
  // of one generation alone.
  void begin_samples();
  [[nodiscard]] bool has_room() const;
  [[nodiscard]] std::int64_t next_id() const;
  std::unique_ptr<Sample> next_sample();
  void start(Sample& sample, const std::function<void()>& phase);
  void make(Sample& sample);  // the proposal, its source file and its row
  [[nodiscard]] bool builds(Sample& sample);
  void vote(Sample& sample);
  void evaluate(Sample& sample);
  void look_at_memory(Sample& sample);
  void settle_next();
  [[nodiscard]] bool ranks() const;
  [[nodiscard]] std::vector<std::int64_t> busy() const;  // ids of what a thread works on
  void rank_generation();  // once all of it are made, or no more can be
  std::int64_t wait_for_one();
  void settle(Sample& sample);
  void audit(const Sample& sample);
  void begin_row(ProposalRow& row);
  // Tells proposals to come that the confirmation has refused this one.
  void withdraw(const ProposalRow& row);
  void note_setting(const ProposalRow& row, const std::vector<ConfigTimingRecord>& timings);
  // Goes back to the last child that is confirmed.
  void confirm();
  bool confirms(const Candidate& winner);
  bool is_confirmed_at_least_time();
  void summarise(const std::string& stop_reason);

  [[nodiscard]] Candidate candidate_of(std::int64_t id, const Proposal& proposal) const;
  // Tells the evaluator what comes next if the child is refused.
  void expect_after(const Candidate& child) const;
  [[nodiscard]] const Candidate& parent() const { return *m_lineage.back(); }

  const EvolutionPlan m_plan;
  Archive& m_archive;
  RunRow m_run;
  Journal& m_journal;
  CandidateEvaluator& m_evaluator;
  const std::vector<std::unique_ptr<Proposer>> m_proposers;
  const bool m_takes_long;  // some proposer does
  RunLog m_log;
  Gate m_gate;
  std::vector<Candidate> m_right_seeds;     // fastest first
  std::deque<Candidate> m_accepted;         // and the first parent; their addresses stay
  std::vector<const Candidate*> m_lineage;  // the first parent, then the others, slowest first
  std::deque<Candidate> m_outraced;  // right in all cases, no faster than their parents; they stay
  std::vector<TimedSetting> m_settings;
  std::vector<TriedStrategy> m_tried;
  VerifierAudit m_audit;
  std::vector<Proposer*> m_round;            // those that take turns
  Turns m_turns;                             // theirs
  std::map<std::string, double> m_empty_us;  // an empty kernel's time on each config
  bool m_at_least_time = false;              // the last child that was accepted
  std::int64_t m_confirmed = 0;              // id of the last child that was
  bool m_confirmed_at_least_time = false;
  Spent m_spent;
  std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
  double m_seconds_before = 0;  // that earlier processes of the run have used
  int m_generation = 1;
  int m_sample = 0;
  int m_step = 0;  // of the loop
  std::counting_semaphore<> m_evaluating;
  std::mutex m_finishing;
  std::condition_variable m_one_finished;
  std::deque<std::int64_t> m_finished;                        // ids, in this order
  std::map<std::int64_t, std::unique_ptr<Sample>> m_running;  // ends before all that it uses
};

}  // namespace robust_kbench
