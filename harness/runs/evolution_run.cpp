#include "runs/evolution_run.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "evaluate/jobs.hpp"
#include "evaluate/requirements.hpp"
#include "evolve/evolution.hpp"
#include "evolve/time_limit.hpp"
#include "evolve/vote_plan.hpp"
#include "runs/backends.hpp"
#include "runs/command_program.hpp"
#include "runs/first_prompt.hpp"
#include "runs/pilots/heard_pilots.hpp"
#include "runs/pilots/pilot_backend.hpp"
#include "runs/pilots/pilot_fleet.hpp"
#include "runs/pilots/source_tree.hpp"
#include "runs/run_kind.hpp"
#include "runs/run_proposers.hpp"
#include "runs/translation_run.hpp"
#include "verify/verification.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

bool has(const std::vector<std::string>& all, const std::string& one) {
  return std::ranges::find(all, one) != all.end();
}

std::string proposers_text(const EvolutionSettings& settings) {
  const std::vector<std::string>& all = settings.proposers;
  std::string text = fmt::format("{}", fmt::join(all, ", "));
  if (has(all, "llm") && has(all, "tune")) {
    // Other proposers than these two have as many turns as tune.
    const auto others = static_cast<double>(all.size() - 2);
    text += fmt::format(" (tune has {:.3g} % of the turns with each parent)",
                        100 * settings.tune_share / (1 + others * settings.tune_share));
  }
  return text;
}

// Token hashes of the proposals that the run refused. The end of its time has decided nothing.
std::vector<std::string> refused_by(const Archive& archive, const std::string& run) {
  std::vector<std::string> refused;
  for (const ProposalRow& row : archive.proposals(archive.run(run).id)) {
    if (row.outcome == ProposalOutcome::refused && !was_cut_short(row))
      refused.push_back(row.token_hash);
  }
  return refused;
}

}  // namespace

EvolutionRun::EvolutionRun(const Suite& suite, const EvolvedEntry& evolved,
                           const EvolutionSettings& settings)
    : m_evolved(evolved),
      m_kernels(suite, evolved, settings),
      m_plan{.entry = m_kernels.entry(), .device = m_kernels.device(), .settings = settings} {
  m_plan.plain = m_kernels.plain();
  m_plan.side_by_side = settings.side_by_side;
  m_plan.evaluated_at_a_time =
      usual_racing_jobs(m_plan.device) *
      std::max({1, static_cast<int>(m_evolved.gpus.size()), m_evolved.pilots});
  if (m_plan.side_by_side == 0) {
    // A model's answer takes much longer than a verdict.
    m_plan.side_by_side =
        std::max(m_plan.evaluated_at_a_time, asks_models(settings) ? settings.population : 1);
  } else {
    m_plan.evaluated_at_a_time = m_plan.side_by_side;
  }
  if (asks_verifiers(settings)) (void)verifier_options(settings);  // throws for bad ones
}

void EvolutionRun::require_program() const {
  if (has(settings().proposers, "command")) require_command_program(settings());
}

std::vector<std::string> EvolutionRun::asked_models() const {
  std::vector<std::string> models = settings().models;
  if (asks_verifiers(settings())) models.push_back(settings().verifier_model);
  if (m_kernels.translates()) models.push_back(settings().translate_model);
  return models;
}

LikelySpending EvolutionRun::likely_spending(ModelUse& use) const {
  const PromptSizes sizes = prompt_sizes(use, m_kernels);
  return robust_kbench::likely_spending(
      use, settings(), planned_questions(settings(), m_kernels.translates(), sizes));
}

std::string EvolutionRun::plan_text() const {
  std::vector<std::string> names;
  for (const Candidate& kernel : m_kernels.all()) names.push_back(kernel.name);
  if (m_kernels.translates())
    names = {"a translation of the reference", "the kernels of the entry"};
  const bool nobody_votes = asks_verifiers(settings()) && !asks_models(settings());
  return fmt::format(
      "Evolves {} on {}. It begins with {} of {}. Proposals come from {}, {} in a generation. "
      "Up to {} are evaluated side by side. They race on {} configs, for at most {:g} minutes.{}",
      m_plan.entry.name(), to_string(m_plan.device),
      m_kernels.first_parent().empty() ? "the fastest" : m_kernels.first_parent() + " out",
      fmt::join(names, ", "), proposers_text(settings()), settings().population,
      std::min(m_plan.evaluated_at_a_time, settings().population),
      raced_configs(m_kernels.suite(), m_plan.entry, m_plan.device, settings()).size(),
      settings().minutes,
      nobody_votes ? " Nobody votes on them, since no language model is among the proposers." : "");
}

// Throws UserError for what could be known only to fail once the run has begun.
void EvolutionRun::require_possible(const RunContext& context, const std::string& resumed) const {
  if (!resumed.empty()) {
    require_subject(context.archive.run(resumed),
                    {.kind = RunKind::evolution, .entry = m_plan.entry, .device = m_plan.device});
  }
  if (!settings().prior.empty()) (void)context.archive.run(settings().prior);
  if (context.recorded) return;
  if (!m_kernels.all().empty() && context.pilots == nullptr) {
    const std::string reason =
        skip_reason(m_kernels.all().front().kernel, context.suite.manifest().toolchain);
    if (!reason.empty()) throw UserError("nothing can be evaluated here: " + reason);
    if (m_plan.device == Device::cuda && settings().require_replay) {
      (void)replayer_of(context.suite.manifest().toolchain);
    }
  }
  require_program();
  if (asks_models(settings())) context.models.require_askable(settings(), asked_models());
}

std::unique_ptr<EvaluationBackend> EvolutionRun::backend(Run& run) const {
  const RunContext& context = run.context();
  // The task is named as the user named it. Another process may know it by its package alone.
  const BackendRequest request{.task = m_evolved.task,
                               .direction = std::string(to_string(m_plan.entry.direction)),
                               .configs = settings().configs,
                               .estimators = settings().estimators,
                               .allow = settings().allow,
                               .require_replay = settings().require_replay,
                               .slower_limit = settings().slower_limit,
                               .side_by_side = m_plan.evaluated_at_a_time};
  if (context.pilots != nullptr) return backend_on_pilots(run, request);
  if (m_evolved.gpus.size() > 1) {
    return backend_on_gpus(context.suite.manifest().path, m_evolved.gpus, request, context.stop,
                           run.asking());
  }
  return local_backend(
      context.suite, m_plan.device, request,
      {.stop = context.stop,
       .search = run.asking(),
       .first_races = m_plan.first_races.get_token(),
       .on_progress = [&run](const std::string& text) { run.listener().progress(text); }});
}

std::unique_ptr<EvaluationBackend> EvolutionRun::backend_on_pilots(
    Run& run, const BackendRequest& request) const {
  PilotFleet& fleet = *run.context().pilots;
  const std::string begun = fleet.start_pilots(m_plan.device);
  if (!begun.empty()) run.listener().note(begun);
  return std::make_unique<PilotBackend>(
      fleet.coordinator(),
      EvaluationSession{.request = request,
                        .device = m_plan.device,
                        .source_root = source_root(run.context().suite.manifest()),
                        .requires_sandbox = fleet.request().requires_sandbox},
      PilotBackendOptions{.stop = run.context().stop,
                          .search = run.asking(),
                          .first_races = m_plan.first_races.get_token(),
                          .model_of_run = [&run](const std::string& now) -> std::string {
                            return run.journal().once("pilots/model",
                                                      [&] { return nlohmann::json(now); });
                          }});
}

RunRow EvolutionRun::evolve(Run& run) {
  m_plan.starts = m_kernels.all();
  m_plan.first_parent = m_kernels.first_parent();
  require_same_kernels(run.journal(), m_plan.starts, run.id());
  std::optional<HeardPilots> heard;
  if (run.context().pilots != nullptr) heard.emplace(run, *run.context().pilots);
  const std::unique_ptr<EvaluationBackend> evaluates = backend(run);
  if (run.models() != nullptr) m_plan.votes = vote_plan_of(run, m_plan);
  Evolution evolution(m_plan, run.context().archive, run.id(), run.journal(), *evaluates,
                      proposers_of(run, m_plan),
                      [&run](const nlohmann::json& event) { run.listener().show(event); });
  RunRow ended = evolution.run(run.context().stop);
  if (!heard) return ended;
  heard.reset();  // the last events
  return with_pilots(run, std::move(ended));
}

RunRow EvolutionRun::go(const RunContext& context, const std::string& resumed,
                        const EvolutionListeners& listeners) {
  require_possible(context, resumed);
  const RunSubject subject{
      .kind = RunKind::evolution, .entry = m_plan.entry, .device = m_plan.device};
  const std::string id =
      resumed.empty() ? begin_run(context.archive, subject, settings()) : resumed;
  std::fprintf(stderr, "%s\n", plan_text().c_str());
  if (!settings().prior.empty()) {
    m_plan.refused_before = refused_by(context.archive, settings().prior);
  }
  const std::stop_callback all_ends(context.stop, [this] { m_plan.search.request_stop(); });
  Run run(context, id, settings(), listeners.evolution, m_plan.search.get_token());
  run.announce();
  listeners.evolution.begins(id);
  return run.until_interrupted([&]() -> RunRow {
    if (m_kernels.translates()) {
      std::filesystem::path file;
      try {
        file = translated_kernel(run, listeners.translation);
      } catch (const UserError& error) {
        return run.interrupt(error.what());
      }
      m_kernels.translated(file);
    }
    return evolve(run);
  });
}

}  // namespace robust_kbench
