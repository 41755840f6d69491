#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "evolve/gate.hpp"
#include "evolve/proposer.hpp"
#include "evolve/settings.hpp"
#include "evolve/stop_rule.hpp"
#include "evolve/tuning_report.hpp"

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
  std::string plain;  // name of the seed that is the task's plain kernel; empty: none
};

// Finds faster kernels of one entry. All that happens goes through the journal, so a run that was
// killed goes on by running it again on the same archive and run.
class Evolution {
 public:
  // Each event is a line of events.jsonl (docs/archive.md), which `on_event` sees as well.
  using OnEvent = std::function<void(const nlohmann::json& event)>;

  // `run` is a run of the archive. The references outlive this object.
  Evolution(EvolutionPlan plan, Archive& archive, const std::string& run, Journal& journal,
            CandidateEvaluator& evaluator, std::vector<std::unique_ptr<Proposer>> proposers,
            OnEvent on_event = {});

  // Ends by a budget, a plateau, the least possible time, proposers that know nothing more, or a
  // request to stop, which leaves the run `interrupted`. Returns the run's row with its summary.
  // Throws UserError where no seed is right.
  RunRow run(const std::stop_token& stop = {});

 private:
  void race_seeds();
  double elapsed_seconds();
  std::optional<std::string> reason_to_stop();
  // False where no proposer knew anything.
  bool next_candidate();
  std::optional<Proposal> ask(Proposer& proposer, std::int64_t id);
  std::optional<Proposal> propose(std::int64_t id, Proposer*& proposer);
  void pass_gate(const Candidate& child, ProposalRow& row);
  void begin_sample(ProposalRow& row);
  void note_setting(const ProposalRow& row, const std::vector<ConfigTimingRecord>& timings);
  // Goes back to the last child that is confirmed.
  void confirm();
  bool confirms(const Candidate& winner, ProposalRow& row);
  bool is_confirmed_at_least_time();
  // What a seed is called in the confirmation's race. The fastest of a name takes part.
  [[nodiscard]] std::string rival_name(const Candidate& seed) const;
  void summarise(const std::string& stop_reason);

  [[nodiscard]] Candidate candidate_of(std::int64_t id, const Proposal& proposal) const;
  // Tells the evaluator what comes next if the child is refused.
  void expect_after(const Candidate& child) const;
  void save(const ProposalRow& row);
  void event(const std::string& kind, nlohmann::json event);
  [[nodiscard]] const Candidate& parent() const { return m_lineage.back(); }

  const EvolutionPlan m_plan;
  Archive& m_archive;
  RunRow m_run;
  Journal& m_journal;
  CandidateEvaluator& m_evaluator;
  const std::vector<std::unique_ptr<Proposer>> m_proposers;
  const OnEvent m_on_event;
  Gate m_gate;
  std::vector<Candidate> m_right_seeds;  // fastest first
  std::vector<Candidate> m_lineage;      // the first parent, and each child accepted since
  std::vector<TimedSetting> m_settings;
  std::map<std::string, double> m_empty_us;  // an empty kernel's time on each config
  bool m_at_least_time = false;              // the last child that was accepted
  std::int64_t m_confirmed = 0;              // id of the last child that was
  bool m_confirmed_at_least_time = false;
  std::map<std::int64_t, ProposalRow> m_rows;
  Spent m_spent;
  std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
  double m_seconds_before = 0;  // that earlier processes of the run have used
  std::size_t m_turn = 0;       // of the proposers
  int m_generation = 1;
  int m_sample = 0;
};

}  // namespace robust_kbench
