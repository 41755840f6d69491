#include "cli/translation_run.hpp"

#include <cstdio>
#include <filesystem>
#include <memory>

#include "cli/candidate_evaluator.hpp"
#include "cli/model_run.hpp"
#include "core/error.hpp"
#include "evaluate/requirements.hpp"
#include "evolve/archived_kernel.hpp"
#include "evolve/machine_facts.hpp"
#include "evolve/translation.hpp"
#include "report/progress_line.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

constexpr const char* member = "translation";

ModelChoice choice_of(const EvolutionSettings& settings) {
  ModelChoice choice{.model = settings.translate_model,
                     .max_output_tokens = settings.translate_output_tokens};
  if (settings.translate_temperature != "auto") {
    choice.temperature = std::stod(settings.translate_temperature);
  }
  if (settings.translate_effort != "auto") choice.effort = settings.translate_effort;
  return choice;
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

// One line for each attempt that has ended.
class TranslationView {
 public:
  explicit TranslationView(int attempts) : m_attempts(attempts) {}

  void show(const nlohmann::json& event) {
    const std::string kind = event.at("event");
    if (kind == "asking") {
      m_attempt = event.at("id");
      progress("waits for the model");
    } else if (kind == "proposal" && event.at("outcome") == "refused") {
      m_line.finish(fmt::format("attempt {}: {}: {}", m_attempt,
                                event.at("reason_class").get<std::string>(),
                                first_line(event.at("reason"))));
    } else if (kind == "proposal" && event.at("outcome") == "kept") {
      m_line.finish(fmt::format("attempt {}: right", m_attempt));
    }
  }
  void progress(const std::string& text) {
    m_line.update(fmt::format("attempt {} of {}: {}", m_attempt, m_attempts, text));
  }

 private:
  const int m_attempts;
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
    throw UserError("run " + run + " is an evolution; go on with it by `rkb evolve --resume`");
  }
  EvolutionSettings translation;
  apply_settings(translation, settings.at(member), "the settings of run " + run);
  return translation;
}

RunRow translate(const Suite& suite, Archive& archive, const std::string& run, ModelUse& models,
                 const std::stop_token& stop) {
  archive.hold(run);
  const RunRow row = archive.run(run);
  const EvolutionSettings settings = translation_settings(archive, run);
  const Manifest& manifest = suite.manifest();
  const Task& task = suite.task(row.entry.task);
  Journal journal(archive, run);
  // Keys leave the environment before anything else starts.
  ModelRun model_run(models, settings, archive, run, journal, std::nullopt,
                     [stop] { return stop.stop_requested(); });
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
      .kernel = further_kernel(manifest, row.entry, row.device),
      .settings = {.attempts = settings.translate_attempts,
                   .error_summary = settings.error_summary,
                   .exhaust = settings.translate_exhaust,
                   .independent = settings.translate_independent},
      .model = choice_of(settings)};
  TranslationView view(settings.translate_attempts);
  load_torch_for(manifest, {plan.kernel});
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
