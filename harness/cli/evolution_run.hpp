#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "archive/journal.hpp"
#include "cli/evolution_view.hpp"
#include "cli/model_run.hpp"
#include "cli/model_use.hpp"
#include "cli/planned_questions.hpp"
#include "evaluate/suite.hpp"
#include "evolve/evolution.hpp"
#include "evolve/settings.hpp"

namespace robust_kbench {

// What is evolved, as options name it.
struct EvolvedEntry {
  std::string task;
  std::string direction;
  std::string device;     // empty: a GPU where there is one, and the suite has a CUDA kernel
  std::vector<int> gpus;  // that evaluate; empty: GPU 0
};

// Puts together one run of an evolution: seeds, proposers, evaluator and view.
class EvolutionRun {
 public:
  // `suite` outlives this object. Throws UserError. One GPU of several is this process's from here
  // on.
  EvolutionRun(const Suite& suite, const EvolvedEntry& evolved, EvolutionSettings settings);

  [[nodiscard]] std::string plan_text() const;
  // See cli/first_prompt.hpp. Its parent is the kernel that the settings name, else the plain one,
  // else the first of the suite.
  [[nodiscard]] std::string first_prompt_text(const ModelUse& use);
  // How long prompts are. Starts the helper.
  [[nodiscard]] PromptSizes prompt_sizes(ModelUse& use);
  // What models are likely to cost.
  [[nodiscard]] LikelySpending likely_spending(ModelUse& use);
  // Throws UserError where the proposer `command` has no program that can be run.
  void require_program() const;
  // Whether a model writes a kernel to begin with.
  [[nodiscard]] bool translates() const;
  [[nodiscard]] Device device() const { return m_device; }

  // `resumed` is the id of a run to go on with, which must be of this entry and device; empty: a
  // new one. With `recorded`, that run answers in place of evaluations, programs and models.
  RunRow go(Archive& archive, ModelUse& models, const std::string& resumed,
            const std::optional<RecordedRun>& recorded, const std::stop_token& stop);

 private:
  void find_seeds();
  [[nodiscard]] std::vector<std::string> asked_models() const;
  Candidate first_shown();
  // Translates the reference in a run of its own. What comes of it is a further seed.
  void add_translation(Archive& archive, const std::string& run, ModelUse& use, Journal& journal,
                       const std::stop_token& stop);
  [[nodiscard]] std::string first_parent() const;
  [[nodiscard]] std::unique_ptr<CandidateEvaluator> evaluator(const std::stop_token& stop);

  const Suite& m_suite;
  const EvolvedEntry m_evolved;
  const EvolutionSettings m_settings;
  const Entry m_entry;
  const Device m_device;
  EvolutionPlan m_plan;
  std::vector<KernelSource> m_further;  // seeds beside those of the manifest
  EvolutionView m_view;
};

}  // namespace robust_kbench
