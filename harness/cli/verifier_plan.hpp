#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/evolution_run.hpp"
#include "cli/model_use.hpp"
#include "cli/planned_questions.hpp"
#include "cli/verifier_run.hpp"
#include "core/case.hpp"
#include "core/device.hpp"
#include "evaluate/suite.hpp"

namespace robust_kbench {

// What a command that asks verifiers would ask models at most. Nothing is asked, and no run begins.
class VerifierPlan {
 public:
  // Throws UserError for options of a run that exists already.
  VerifierPlan(const Program& program, const VerifierRunOptions& options, Device device);

  // Instructions in place of the prompts' own, by the verifier's name.
  void instruct(const std::string& verifier, const std::string& instructions);
  [[nodiscard]] const EvolutionSettings& settings() const { return m_settings; }
  // The longest prompts about kernels of these entries, with these sources.
  PromptSizes sizes(const std::vector<Entry>& entries, const std::vector<std::string>& sources);
  // Prints the bound. Returns the command's exit code.
  int print(const std::string& what, const std::vector<PlannedQuestions>& planned);

 private:
  const Suite m_suite;
  const Device m_device;
  ModelUse m_use;
  EvolutionSettings m_settings;
};

}  // namespace robust_kbench
