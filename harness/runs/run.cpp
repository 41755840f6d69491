#include "runs/run.hpp"

#include <cstdio>
#include <utility>
#include <vector>

#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "core/manifest_places.hpp"
#include "evolve/stop_rule.hpp"
#include "prompt/machine_facts.hpp"
#include "runs/backends.hpp"

namespace robust_kbench {
namespace {

std::string held(Archive& archive, std::string run) {
  archive.hold(run);
  return run;
}

}  // namespace

// Keys leave the environment here, before anything else starts.
Run::Run(RunContext context, std::string id, EvolutionSettings settings, RunListener& listener,
         std::stop_token asking)
    : m_context(std::move(context)),
      m_id(held(m_context.archive, std::move(id))),
      m_settings(std::move(settings)),
      m_asking(std::move(asking)),
      m_listener(listener),
      m_journal(m_context.archive, m_id, m_context.recorded) {
  if (!asks_models(m_settings)) return;
  m_models = std::make_unique<ModelRun>(m_context.models, m_settings, m_journal,
                                        manifest_places(m_context.suite.manifest()),
                                        [this] { return m_asking.stop_requested(); });
  m_listener.spends([this] { return m_models->spending(); });
  m_models->session().listen(
      {.answered = [this](const std::string& call) { m_listener.answered(call); },
       .noted = [this](const std::string& note) { m_listener.note(note); }});
}

void Run::announce() const {
  std::fprintf(stderr, "run %s in %s\n", m_id.c_str(), m_context.archive.directory().c_str());
}

std::filesystem::path Run::directory() const {
  return m_context.archive.directory() / "runs" / m_id;
}

std::optional<std::string> Run::refused() const {
  if (m_context.stop.stop_requested()) return interrupt_reason;
  return m_models->refused();
}

const PromptSubject& Run::subject(const Entry& entry) {
  const std::lock_guard lock(m_mutex);
  const auto known = m_subjects.find(entry.name());
  if (known != m_subjects.end()) return known->second;
  const Suite& suite = m_context.suite;
  const Device device = row().device;
  const std::vector<std::string> machine = m_journal.once("machine_facts", [&] {
    return nlohmann::json(machine_facts(device, suite.manifest().toolchain));
  });
  std::vector<Config> shown;
  if (m_settings.show_shapes) shown = raced_configs(suite, entry, device, m_settings);
  return m_subjects
      .emplace(entry.name(),
               prompt_subject(suite.manifest(), suite.task(entry.task), entry.direction, device,
                              std::move(shown), machine, m_settings.allow))
      .first->second;
}

void Run::require_inputs(const nlohmann::json& inputs) {
  if (m_journal.once("inputs", [&] { return inputs; }) == inputs) return;
  const bool replays = m_context.recorded.has_value();
  throw UserError("run " + (replays ? m_context.recorded->run : m_id) +
                  " was about other kernels or verifiers; give what it was given, or leave " +
                  (replays ? "--replay" : "--resume") + " out");
}

RunRow Run::until_interrupted(const std::function<RunRow()>& work) {
  try {
    return work();
  } catch (const Cancelled&) {
    return interrupt(interrupt_reason);
  }
}

RunRow Run::end(const std::string& reason, const nlohmann::json& summary) {
  return leave(RunState::ended, reason, summary);
}

RunRow Run::interrupt(const std::string& reason, const nlohmann::json& summary) {
  return leave(RunState::interrupted, reason, summary);
}

RunRow Run::leave(RunState state, const std::string& reason, const nlohmann::json& summary) {
  RunRow left = row();
  left.state = state;
  left.stop_reason = reason;
  if (!summary.is_null()) left.summary = summary;
  m_context.archive.update_run(left);
  return row();  // with the time of its end
}

}  // namespace robust_kbench
