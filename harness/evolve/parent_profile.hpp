#pragma once

#include <cstdint>
#include <set>

#include "evolve/evolution_plan.hpp"
#include "evolve/gate.hpp"
#include "evolve/run_log.hpp"
#include "evolve/running_samples.hpp"
#include "propose/lineage.hpp"

namespace robust_kbench {

// Profiles each parent from which something is to be made. Profilers take seconds. So some
// proposals begin beside them where the proposers can do without a profile.
class ParentProfile {
 public:
  // `proposers_can_wait` says that all proposers work without a profile. The references outlive
  // this object.
  ParentProfile(const EvolutionPlan& plan, Journal& journal, Gate& gate, RunLog& log,
                Lineage& lineage, bool proposers_can_wait)
      : m_plan(plan),
        m_journal(journal),
        m_gate(gate),
        m_log(log),
        m_lineage(lineage),
        m_proposers_can_wait(proposers_can_wait) {}

  // Makes the parent's profile, or begins it beside samples, unless it is known or under way.
  void begin(RunningSamples& running);
  // Keeps the profile that was made beside samples.
  void finish() { take(*m_looked_at); }
  // Whether samples to come wait for the profile. Half of the places are kept for those that are
  // made from it.
  [[nodiscard]] bool is_awaited(const RunningSamples& running) const;

 private:
  [[nodiscard]] bool is_known() const;
  [[nodiscard]] bool goes_beside(const Candidate& parent) const;
  void take(const Candidate& parent);

  const EvolutionPlan& m_plan;
  Journal& m_journal;
  Gate& m_gate;
  RunLog& m_log;
  Lineage& m_lineage;
  const bool m_proposers_can_wait;
  std::set<std::int64_t> m_known;          // ids
  const Candidate* m_looked_at = nullptr;  // beside samples
};

}  // namespace robust_kbench
