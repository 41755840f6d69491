#include "cli/translation_run.hpp"

#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "cli/candidate_evaluator.hpp"
#include "cli/model_run.hpp"
#include "cli/run_kind.hpp"
#include "core/error.hpp"
#include "core/manifest_places.hpp"
#include "core/utf8.hpp"
#include "evolve/archived_kernel.hpp"
#include "evolve/translation.hpp"
#include "prompt/machine_facts.hpp"
#include "report/progress_line.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

constexpr const char* member = "translation";

ModelChoice choice_of(const EvolutionSettings& settings) {
  return model_choice(settings.translate_model, settings.translate_temperature,
                      settings.translate_effort, settings.translate_output_tokens,
                      "translate_output_tokens");
}

constexpr std::size_t longest_reason = 200;  // bytes

// One line for each attempt that has ended. Threads may share it.
class TranslationView {
 public:
  TranslationView(int attempts, std::function<std::string()> spending)
      : m_attempts(attempts), m_spending(std::move(spending)) {}

  void show(const nlohmann::json& event) {
    const std::lock_guard lock(m_mutex);
    const std::string kind = event.at("event");
    if (kind == "asking") {
      m_attempt = event.at("id");
      update("waits for the model");
    } else if (kind == "proposal" && event.at("outcome") == "refused") {
      m_line.finish(fmt::format("attempt {}: {}: {}", m_attempt,
                                event.at("reason_class").get<std::string>(),
                                first_line(event.at("reason").get<std::string>(), longest_reason)));
    } else if (kind == "proposal" && event.at("outcome") == "kept") {
      m_line.finish(fmt::format("attempt {}: right", m_attempt));
    }
  }
  void progress(const std::string& text) {
    const std::lock_guard lock(m_mutex);
    update(text);
  }
  void note(const std::string& text) {
    const std::lock_guard lock(m_mutex);
    m_line.finish(text);
  }

 private:
  void update(const std::string& text) {
    const std::string money = m_spending();
    m_line.update(fmt::format("{:.0f} s: attempt {} of {}: {}{}", m_line.seconds(), m_attempt,
                              m_attempts, money.empty() ? "" : money + "; ", text));
  }

  const int m_attempts;
  const std::function<std::string()> m_spending;
  std::mutex m_mutex;
  int m_attempt = 1;
  ProgressLine m_line;
};

}  // namespace

std::string begin_translation(Archive& archive, const Entry& entry, Device device,
                              const EvolutionSettings& settings) {
  return archive
      .begin_run(entry, device, static_cast<std::uint64_t>(settings.seed),
                 {{member, to_json(settings)}})
      .id;
}

EvolutionSettings translation_settings(const Archive& archive, const std::string& run) {
  const nlohmann::json settings = archive.run(run).settings;
  if (!settings.contains(member)) {
    throw UserError("run " + run + " is no translation; " + how_to_go_on(archive.run(run)));
  }
  EvolutionSettings translation;
  apply_settings(translation, settings.at(member), "the settings of run " + run);
  return translation;
}

RunRow translate(const Suite& suite, Archive& archive, const std::string& run, ModelUse& models,
                 const std::optional<RecordedRun>& recorded, const std::stop_token& stop) {
  archive.hold(run);
  const RunRow row = archive.run(run);
  const EvolutionSettings settings = translation_settings(archive, run);
  const Manifest& manifest = suite.manifest();
  const Task& task = suite.task(row.entry.task);
  Journal journal(archive, run, recorded);
  // Keys leave the environment before anything else starts.
  ModelRun model_run(models, settings, archive, run, journal, recorded, manifest_places(manifest),
                     [stop] { return stop.stop_requested(); });
  const KernelSource kernel = further_kernel(manifest, row.entry, row.device);
  const std::vector<std::string> machine = journal.once("machine_facts", [&] {
    return nlohmann::json(machine_facts(row.device, manifest.toolchain));
  });
  std::vector<Config> shown;
  if (settings.show_shapes) {
    shown = timed_configs(manifest, task, row.entry.direction, row.device,
                          {.sets = config_sets(settings.configs)});
  }
  const TranslationPlan plan{
      .subject = prompt_subject(manifest, task, row.entry.direction, row.device, shown, machine),
      .kernel = kernel,
      .settings = {.attempts = settings.translate_attempts,
                   .error_summary = settings.error_summary,
                   .exhaust = settings.translate_exhaust,
                   .independent = settings.translate_independent},
      .model = choice_of(settings)};
  TranslationView view(settings.translate_attempts, [&] { return model_run.spending(); });
  model_run.session().listen({.noted = [&](const std::string& note) { view.note(note); }});
  const std::unique_ptr<CandidateEvaluator> evaluator = candidate_evaluator(
      suite, row.device,
      {.task = row.entry.task,
       .direction = std::string(to_string(row.entry.direction)),
       .configs = settings.configs},
      {.stop = stop, .on_progress = [&](const std::string& text) { view.progress(text); }});
  return Translation(plan, archive, run, journal, *evaluator, model_run.session(),
                     [&](const nlohmann::json& event) { view.show(event); })
      .run(stop);
}

}  // namespace robust_kbench
