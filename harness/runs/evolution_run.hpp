#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "evolve/evaluation_backend.hpp"
#include "evolve/evolution_plan.hpp"
#include "runs/backends.hpp"
#include "runs/likely_spending.hpp"
#include "runs/model_use.hpp"
#include "runs/run.hpp"
#include "runs/start_kernels.hpp"

namespace robust_kbench {

// The listeners of an evolution and of the translation that it may begin with.
struct EvolutionListeners {
  RunListener& evolution;
  RunListener& translation;
};

// One evolution of an entry, from its plan to its last row.
class EvolutionRun {
 public:
  // `suite` outlives this object. Throws UserError as StartKernels() does, and for bad settings of
  // verifiers.
  EvolutionRun(const Suite& suite, const EvolvedEntry& evolved, const EvolutionSettings& settings);

  [[nodiscard]] const StartKernels& kernels() const { return m_kernels; }
  [[nodiscard]] std::string plan_text() const;
  // Returns what models are likely to cost. Starts the helper.
  [[nodiscard]] LikelySpending likely_spending(ModelUse& use) const;
  // Throws UserError where the proposer `command` has no program that can be run.
  void require_program() const;

  // Carries the run out. `resumed` is the id of a run to go on with, which must be of this entry
  // and device; empty: a new one. Says on stderr what begins.
  RunRow go(const RunContext& context, const std::string& resumed,
            const EvolutionListeners& listeners);

 private:
  [[nodiscard]] const EvolutionSettings& settings() const { return m_kernels.settings(); }
  [[nodiscard]] std::vector<std::string> asked_models() const;
  void require_possible(const RunContext& context, const std::string& resumed) const;
  [[nodiscard]] std::unique_ptr<EvaluationBackend> backend(Run& run) const;
  [[nodiscard]] std::unique_ptr<EvaluationBackend> backend_on_pilots(
      Run& run, const BackendRequest& request) const;
  RunRow evolve(Run& run);

  const EvolvedEntry m_evolved;
  StartKernels m_kernels;
  EvolutionPlan m_plan;
};

}  // namespace robust_kbench
