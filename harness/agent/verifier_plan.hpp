#pragma once

#include <string>
#include <vector>

#include "agent/agent_program.hpp"
#include "agent/verifier_options.hpp"
#include "core/case.hpp"
#include "core/device.hpp"
#include "evaluate/suite.hpp"
#include "runs/model_use.hpp"
#include "runs/planned_questions.hpp"

namespace robust_kbench {

// The plan of a command that asks verifiers. Nothing is asked, and no run begins.
class VerifierPlan {
 public:
  // Throws UserError for options of a run that exists already.
  VerifierPlan(const AgentProgram& program, const VerifierRunOptions& options, Device device);

  // Puts instructions in place of the prompt's own, by the verifier's name.
  void instruct(const std::string& verifier, const std::string& instructions);
  [[nodiscard]] const Suite& suite() const { return m_suite; }
  [[nodiscard]] const EvolutionSettings& settings() const { return m_settings; }
  // Returns the sizes of the longest prompts about kernels of these entries, with these sources.
  PromptSizes sizes(const std::vector<Entry>& entries, const std::vector<std::string>& sources);
  // Prints what is planned, and what it is likely to cost. Returns the command's exit code.
  int print(const std::string& what, const std::vector<PlannedQuestions>& planned);

 private:
  const Suite m_suite;
  const Device m_device;
  ModelUse m_use;
  EvolutionSettings m_settings;
};

}  // namespace robust_kbench
