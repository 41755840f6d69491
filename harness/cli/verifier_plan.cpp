#include "cli/verifier_plan.hpp"

#include <algorithm>
#include <cstdio>

#include "cli/model_estimate.hpp"
#include "core/error.hpp"

namespace robust_kbench {

VerifierPlan::VerifierPlan(const Program& program, const VerifierRunOptions& options, Device device)
    : m_suite(program.tasks, program.manifest_path),
      m_device(device),
      m_use(program.helper, options.cap) {
  if (!options.resume.empty() || !options.replay.empty()) {
    throw UserError("--dry-run plans a new run; leave --resume and --replay out");
  }
  m_use.only_plan();
  m_settings = new_verifier_settings(options, m_use);
}

void VerifierPlan::instruct(const std::string& verifier, const std::string& instructions) {
  if (!instructions.empty()) m_settings.verifier_instructions[verifier] = instructions;
}

PromptSizes VerifierPlan::sizes(const std::vector<Entry>& entries,
                                const std::vector<std::string>& sources) {
  PromptSizes sizes;
  for (const std::string& source : sources) sizes.reviewed += json_bytes(source);
  if (!sources.empty()) sizes.reviewed /= std::ssize(sources);
  for (const Entry& entry : entries) {
    EvolutionRun run(m_suite,
                     {.task = entry.task,
                      .direction = std::string(to_string(entry.direction)),
                      .device = std::string(to_string(m_device)),
                      .gpus = {}},
                     m_settings);
    const PromptSizes own = run.prompt_sizes(m_use);
    if (own.first < sizes.first) continue;
    sizes.first = own.first;
    sizes.kernel = own.kernel;
  }
  return sizes;
}

int VerifierPlan::print(const std::string& what, const std::vector<PlannedQuestions>& planned) {
  const LikelySpending likely = model_spending(m_use, m_settings, planned);
  std::printf("%s\n%s\n", what.c_str(), spending_sentences(m_use, likely, m_settings).c_str());
  return ExitCode::pass;
}

}  // namespace robust_kbench
