#pragma once

#include <functional>
#include <optional>
#include <string>

#include "agent/agent_program.hpp"
#include "agent/answers_view.hpp"
#include "agent/opened_runs.hpp"
#include "agent/verifier_options.hpp"
#include "evaluate/suite.hpp"
#include "runs/model_use.hpp"
#include "runs/run.hpp"
#include "runs/run_kind.hpp"

namespace robust_kbench {

// The settings of a new run of such a command, with the models that it asks. Throws UserError where
// none may be asked.
EvolutionSettings new_verifier_settings(const VerifierRunOptions& options, ModelUse& use);

// The run of a command that asks verifiers, or the verifiers' model, about kernels or tasks of any
// entry.
class VerifierCommand {
 public:
  // `inputs` identify what the command was given. With --resume they must be those of the run.
  // Throws UserError where no model may be asked.
  VerifierCommand(const AgentProgram& program, const VerifierRunOptions& options, RunKind kind,
                  Device device, const nlohmann::json& inputs);

  Run& run() { return *m_run; }
  AnswersView& view() { return m_view; }
  // Shows how many of the questions of so many reviews, and of `others`, are answered.
  void expect(std::size_t reviews, std::size_t others = 0);

  // Carries out the work, which ends the run and returns its row, then prints on stderr what models
  // cost and how to go on. Returns the command's exit code.
  int carry_out(const std::function<RunRow()>& work);
  // Ends the run where `failure`, which says why not all was asked, is empty.
  RunRow end(const std::string& reason, const std::string& failure, const nlohmann::json& summary);

 private:
  EvolutionSettings settings_of(const VerifierRunOptions& options);
  std::string id_of(const std::string& resume);

  const Suite m_suite;
  const RunSubject m_subject;
  ModelUse m_use;
  const std::filesystem::path m_directory;  // of the archive
  const EvolutionSettings m_settings;
  OpenedRuns m_opened;
  AnswersView m_view;
  std::optional<Run> m_run;
};

}  // namespace robust_kbench
