#include "runs/translation_run.hpp"

#include <memory>
#include <optional>

#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "evolve/archived_kernel.hpp"
#include "evolve/starts.hpp"
#include "evolve/translation.hpp"
#include "runs/backends.hpp"
#include "runs/run_kind.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

ModelChoice translator(const EvolutionSettings& settings) {
  return model_choice(settings.translate_model, settings.translate_temperature,
                      settings.translate_effort, settings.translate_output_tokens,
                      "translate_output_tokens");
}

// Returns the winner's source; null: no attempt was right.
nlohmann::json translated_source(Run& evolution, RunListener& listener) {
  const RunContext& context = evolution.context();
  const RunRow evolved = evolution.row();
  const std::string id = evolution.journal().once("translation", [&] {
    const RunSubject subject{
        .kind = RunKind::translation, .entry = evolved.entry, .device = evolved.device};
    return nlohmann::json(begin_run(context.archive, subject, evolution.settings()));
  });
  Run run({.suite = context.suite,
           .archive = context.archive,
           .models = context.models,
           .stop = context.stop},
          id, settings_of_run(context.archive.run(id)), listener);
  const RunRow translation = translate(run);
  if (context.stop.stop_requested()) throw Cancelled();
  if (translation.state != RunState::ended) {
    throw UserError("the reference is not translated yet: " + translation.stop_reason);
  }
  if (translation.winner == 0) return nullptr;
  return context.archive.content(context.archive.proposal(id, translation.winner).source_hash);
}

}  // namespace

RunRow translate(Run& run) {
  const RunContext& context = run.context();
  const RunRow row = run.row();
  const EvolutionSettings& settings = run.settings();
  const KernelSource kernel = further_kernel(context.suite.manifest(), row.entry, row.device);
  const TranslationPlan plan{.subject = subject_beside(kernel, run.subject(row.entry)),
                             .kernel = kernel,
                             .settings = {.attempts = settings.translate_attempts,
                                          .error_summary = settings.error_summary,
                                          .exhaust = settings.translate_exhaust,
                                          .independent = settings.translate_independent},
                             .model = translator(settings)};
  const std::unique_ptr<EvaluationBackend> backend = local_backend(
      context.suite, row.device,
      {.task = row.entry.task,
       .direction = std::string(to_string(row.entry.direction)),
       .configs = settings.configs,
       .allow = settings.allow},
      {.stop = context.stop,
       .on_progress = [&run](const std::string& text) { run.listener().progress(text); }});
  return Translation(plan, context.archive, run.id(), run.journal(), *backend, run.session(),
                     [&run](const nlohmann::json& event) { run.listener().show(event); })
      .run(context.stop);
}

std::filesystem::path translated_kernel(Run& evolution, RunListener& listener) {
  const nlohmann::json source = evolution.journal().once(
      "translated", [&] { return translated_source(evolution, listener); });
  if (source.is_null()) return {};
  const char* const extension = evolution.row().device == Device::cuda ? ".cu" : ".cpp";
  std::filesystem::path file = evolution.directory() / (std::string(translated_start) + extension);
  OutputFile(file).write(source.get<std::string>());
  return file;
}

}  // namespace robust_kbench
