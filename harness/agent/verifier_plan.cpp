#include "agent/verifier_plan.hpp"

#include <cstdio>

#include "agent/model_estimate.hpp"
#include "agent/verifier_command.hpp"
#include "core/error.hpp"
#include "runs/first_prompt.hpp"
#include "runs/likely_spending.hpp"

namespace robust_kbench {

VerifierPlan::VerifierPlan(const AgentProgram& program, const VerifierRunOptions& options,
                           Device device)
    : m_suite(program.tasks, program.manifest_path),
      m_device(device),
      m_use(program.helper, options.cap) {
  if (!options.resume.empty() || !options.replay.empty()) {
    throw UserError("--dry-run plans a new run; leave --resume and --replay out");
  }
  m_use.choices().only_plan();
  m_use.read_settings_of(options.settings);
  m_settings = new_verifier_settings(options, m_use);
}

void VerifierPlan::instruct(const std::string& verifier, const std::string& instructions) {
  if (!instructions.empty()) m_settings.verifier_instructions[verifier] = instructions;
}

PromptSizes VerifierPlan::sizes(const std::vector<Entry>& entries,
                                const std::vector<std::string>& sources) {
  return review_sizes(m_suite, m_use, m_settings, m_device, entries, sources);
}

int VerifierPlan::print(const std::string& what, const std::vector<PlannedQuestions>& planned) {
  const LikelySpending likely = likely_spending(m_use, m_settings, planned);
  std::printf("%s\n%s\n", what.c_str(), spending_sentences(m_use, likely, m_settings).c_str());
  return ExitCode::pass;
}

}  // namespace robust_kbench
