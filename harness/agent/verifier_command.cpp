#include "agent/verifier_command.hpp"

#include <cstdio>
#include <vector>

#include "agent/archive/archive_option.hpp"
#include "agent/archive/costs_text.hpp"
#include "core/error.hpp"
#include "process/escape.hpp"
#include "runs/kept_settings.hpp"

namespace robust_kbench {

EvolutionSettings new_verifier_settings(const VerifierRunOptions& options, ModelUse& use) {
  EvolutionSettings settings;
  apply_verifier_options(settings, options);
  settings.proposers = {"llm"};
  settings = use.choices().resolved(settings);
  if (!asks_models(settings)) throw UserError("verifiers are language models, and none was asked");
  settings.models.resize(1);
  return settings;
}

EvolutionSettings VerifierCommand::settings_of(const VerifierRunOptions& options) {
  m_use.read_settings_of(options.settings);
  const std::optional<RunRow> known = known_run(options.resume, options.replay, m_directory);
  if (!known) return new_verifier_settings(options, m_use);
  require_subject(*known, m_subject);
  return kept_settings(*known, m_use.choices(), [&](EvolutionSettings& settings) {
    apply_verifier_options(settings, options);
  });
}

// A run begins only once all of its models are known to be askable.
std::string VerifierCommand::id_of(const std::string& resume) {
  const RunContext context = m_opened.context();
  if (!context.recorded) {
    std::vector<std::string> asked{m_settings.verifier_model};
    if (m_subject.kind == RunKind::verifier_tuning) asked.push_back(m_settings.models.front());
    m_use.require_askable(m_settings, asked);
  }
  return resume.empty() ? begin_run(context.archive, m_subject, m_settings) : resume;
}

VerifierCommand::VerifierCommand(const AgentProgram& program, const VerifierRunOptions& options,
                                 RunKind kind, Device device, const nlohmann::json& inputs)
    : m_suite(program.tasks, program.manifest_path),
      m_subject(subject_of_any_entry(kind, device)),
      m_use(program.helper, options.cap),
      m_directory(archive_directory(program, options.archive)),
      m_settings(settings_of(options)),
      m_opened(m_suite, m_use, m_directory, options.replay) {
  m_run.emplace(m_opened.context(), id_of(options.resume), m_settings, m_view);
  m_run->require_inputs(inputs);
  m_run->announce();
}

void VerifierCommand::expect(std::size_t reviews, std::size_t others) {
  const auto looks = static_cast<std::size_t>(1 + m_run->settings().reflections);
  m_view.expect(static_cast<int>(reviews * looks + others));
}

RunRow VerifierCommand::end(const std::string& reason, const std::string& failure,
                            const nlohmann::json& summary) {
  return failure.empty() ? m_run->end(reason, summary) : m_run->interrupt(failure, summary);
}

int VerifierCommand::carry_out(const std::function<RunRow()>& work) {
  const RunRow row = m_run->until_interrupted(work);
  m_view.clear();
  std::fprintf(stderr, "%s", costs_text(m_opened.context().archive.calls(row.id)).c_str());
  if (row.state == RunState::ended) return ExitCode::pass;
  std::fprintf(stderr, "%s; the same command with --resume %s goes on\n",
               escaped_line(row.stop_reason).c_str(), row.id.c_str());
  return ExitCode::harness_error;
}

}  // namespace robust_kbench
