#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "evolve/decision_rate.hpp"
#include "evolve/evolution_plan.hpp"
#include "evolve/gate.hpp"
#include "evolve/iteration.hpp"
#include "evolve/parent_profile.hpp"
#include "evolve/run_log.hpp"
#include "evolve/run_memory.hpp"
#include "evolve/running_samples.hpp"
#include "evolve/stop_rule.hpp"
#include "evolve/time_limit.hpp"
#include "propose/lineage.hpp"
#include "propose/proposer_round.hpp"

namespace robust_kbench {

// Finds faster kernels of one entry. All that happens goes through the journal, so a run that was
// killed goes on by running it again on the same archive and run.
class Evolution {
 public:
  // `run` is a run of the archive. The references outlive this object.
  Evolution(EvolutionPlan plan, Archive& archive, const std::string& run, Journal& journal,
            EvaluationBackend& backend, std::vector<std::unique_ptr<Proposer>> proposers,
            RunLog::OnEvent on_event = {});

  // Ends by a budget, a plateau, the least possible time, proposers that know nothing more, or a
  // request to stop, which leaves the run `interrupted`. Returns the run's row with its summary.
  // Throws UserError where no start is right.
  RunRow run(const std::stop_token& stop = {});

 private:
  void race_starts();
  // Begins and settles samples until there is a reason to end, which it returns.
  std::string search(const std::stop_token& stop);
  void interrupted();
  [[nodiscard]] double seconds_so_far() const;  // of all processes of the run
  // The seconds so far as the journal has them.
  double elapsed_seconds();
  // The seconds at a moment after the loop. A recorded run may not have it. Then that of the loop's
  // last step stands.
  double seconds_at(const std::string& moment);
  std::optional<std::string> reason_to_stop();
  // Begins samples while there is room for them and a proposer knows one. Where votes rank, these
  // are samples of one generation alone.
  void begin_samples();
  [[nodiscard]] bool has_room() const;
  [[nodiscard]] std::int64_t next_id() const;
  std::unique_ptr<Sample> next_sample();
  void begin_row(ProposalRow& row);
  // Tells the backend which candidate comes next if the child is refused.
  void expect_after(const Candidate& child) const;
  void settle_next();
  void rank_generation();  // once all of it are made, or no more can be
  void settle(Sample& sample);
  void accept(Sample& sample);
  // Goes back to the last child that is confirmed.
  void confirm();
  bool confirms(const Candidate& winner);
  bool is_confirmed_at_least_time();
  void summarise(const std::string& stop_reason);

  const EvolutionPlan m_plan;
  Archive& m_archive;
  RunRow m_run;
  Journal& m_journal;
  EvaluationBackend& m_backend;
  ProposerRound m_round;
  RunLog m_log;
  // The time at which the run began, by the plan's clock. It moves back by the time that earlier
  // processes of the run have used.
  std::atomic<double> m_began = m_plan.clock();
  StartSeconds m_start_seconds;
  TimeLimit m_limit;  // ends before what its thread uses
  Gate m_gate;
  Iteration m_iteration;
  RunMemory m_memory;
  Lineage m_lineage;
  ParentProfile m_profile;
  std::map<std::string, double> m_empty_us;  // an empty kernel's time on each config
  bool m_at_least_time = false;              // the last child that was accepted
  std::int64_t m_confirmed = 0;              // id of the last child that was
  bool m_confirmed_at_least_time = false;
  Spent m_spent;
  DecisionRate m_rate;
  int m_generation = 1;
  int m_sample = 0;
  int m_step = 0;            // of the loop
  RunningSamples m_running;  // ends before all that it uses
};

}  // namespace robust_kbench
