#include "cli/evolution_run.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <unistd.h>
#include <utility>

#include "cli/candidate_evaluator.hpp"
#include "cli/first_prompt.hpp"
#include "cli/model_estimate.hpp"
#include "cli/run_kind.hpp"
#include "cli/run_proposers.hpp"
#include "cli/translation_run.hpp"
#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "core/manifest_places.hpp"
#include "core/output_file.hpp"
#include "core/sha256.hpp"
#include "evaluate/jobs.hpp"
#include "evaluate/requirements.hpp"
#include "evolve/archived_kernel.hpp"
#include "evolve/evolution.hpp"
#include "evolve/seeds.hpp"
#include "evolve/time_limit.hpp"
#include "evolve/vote_plan.hpp"
#include "process/escape.hpp"
#include "process/find_program.hpp"
#include "prompt/starting_source.hpp"
#include "verify/verification.hpp"
#include <robust_kbench/task.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

// A GPU where there is one, and the suite has a CUDA kernel for the entry.
Device usual_device(const Manifest& manifest, const Entry& entry) {
  for (const KernelSource& kernel : manifest.kernels_of(entry, Device::cuda)) {
    if (skip_reason(kernel, manifest.toolchain).empty()) return Device::cuda;
  }
  return Device::cpu;
}

bool is_file(const std::string& seed_kernel) {
  const fs::path extension = fs::path(seed_kernel).extension();
  return extension == ".cpp" || extension == ".cu";
}

bool has(const std::vector<std::string>& all, const std::string& one) {
  return std::ranges::find(all, one) != all.end();
}

std::string proposers_text(const EvolutionSettings& settings) {
  const std::vector<std::string>& all = settings.proposers;
  std::string text = fmt::format("{}", fmt::join(all, ", "));
  if (has(all, "llm") && has(all, "tune")) {
    // Each of the others has as many turns as tune.
    const auto others = static_cast<double>(all.size() - 2);
    text += fmt::format(" (tune has {:.3g} % of the turns with each parent)",
                        100 * settings.tune_share / (1 + others * settings.tune_share));
  }
  return text;
}

// The rows of another entry's run would be lost.
void require_same(const RunRow& run, const Entry& entry, Device device) {
  if (run.entry == entry && run.device == device) return;
  throw UserError(fmt::format("run {} is of {} on {}, not of {} on {}; {}", run.id,
                              run.entry.name(), to_string(run.device), entry.name(),
                              to_string(device), how_to_go_on(run)));
}

// A program that gets no PATH is looked for here, as by shells.
const std::vector<fs::path> usual_places{"/usr/local/sbin", "/usr/local/bin", "/usr/sbin",
                                         "/usr/bin",        "/sbin",          "/bin"};

// A run goes on from the kernels that it began with.
void require_same_seeds(Journal& journal, const std::vector<Candidate>& seeds,
                        const std::string& run) {
  if (journal.replays()) return;  // which evaluates nothing
  const nlohmann::json now = identities_of(seeds);
  const nlohmann::json begun = journal.once("seeds_identity", [&] { return now; });
  if (begun == now) return;
  for (const Candidate& seed : seeds) {
    if (!begun.contains(seed.name)) {
      throw UserError(
          fmt::format("the kernel {} was added after run {} had begun; begin another run, with "
                      "--all by another --set seed=NUMBER",
                      seed.name, run));
    }
    if (begun[seed.name] == now[seed.name]) continue;
    throw UserError(fmt::format(
        "{} is not as it was when run {} began, or a header of it is not; restore it, or begin "
        "another run",
        seed.kernel.sources.front(), run));
  }
  throw UserError("a kernel that run " + run +
                  " began with is gone; restore it, or begin another run");
}

}  // namespace

EvolutionRun::EvolutionRun(const Suite& suite, const EvolvedEntry& evolved,
                           EvolutionSettings settings)
    : m_suite(suite),
      m_evolved(evolved),
      m_settings(std::move(settings)),
      m_entry{suite.task(evolved.task).name, parse_direction(evolved.direction)},
      m_device(evolved.device.empty() ? usual_device(suite.manifest(), m_entry)
                                      : parse_device(evolved.device)),
      m_plan{.entry = m_entry, .device = m_device, .settings = m_settings},
      m_view(m_settings) {
  if (m_device == Device::cpu && !m_evolved.gpus.empty()) {
    throw UserError("--gpus is for CUDA kernels; give --device cuda");
  }
  if (is_file(m_settings.seed_kernel)) {
    m_further.push_back(suite.loose_kernel(
        evolved.task, evolved.direction, std::string(to_string(m_device)), m_settings.seed_kernel));
  }
  m_plan.side_by_side = m_settings.side_by_side;
  m_plan.evaluated_at_a_time =
      usual_racing_jobs(m_device) * std::max(1, static_cast<int>(m_evolved.gpus.size()));
  if (m_plan.side_by_side == 0) {
    // A model's answer takes much longer than a verdict.
    m_plan.side_by_side =
        std::max(m_plan.evaluated_at_a_time, asks_models(m_settings) ? m_settings.population : 1);
  } else {
    m_plan.evaluated_at_a_time = m_plan.side_by_side;
  }
  if (suite.manifest().plain_kernel(m_entry, m_device)) m_plan.plain = plain_seed;
  if (asks_verifiers(m_settings)) (void)verifier_options(m_settings);  // throws for bad ones
  if (!translates() || !m_plan.plain.empty()) find_seeds();
}

// A run that may ask models needs no kernel to begin with.
bool EvolutionRun::translates() const {
  return asks_models(m_settings) && (m_settings.translate || m_plan.plain.empty());
}

void EvolutionRun::require_program() const {
  if (!has(m_settings.proposers, "command")) return;
  if (m_settings.command.empty()) {
    throw UserError("the proposer 'command' has no program; give --set 'command=[\"PROGRAM\"]'");
  }
  const fs::path program = m_settings.command.front();
  if (program.is_relative() && program.has_parent_path()) {
    throw UserError("the program '" + program.string() +
                    "' of the setting 'command' runs in another directory; give its absolute path");
  }
  const bool gets_path = has(m_settings.command_environment, "PATH");
  const bool is_there =
      program.is_absolute()
          ? access(program.c_str(), X_OK) == 0
          : !find_program(program, gets_path ? search_path() : usual_places).empty();
  if (!is_there) {
    throw UserError(
        "the program '" + program.string() +
        "' of the setting 'command' cannot be run; give the absolute path of a program");
  }
}

std::vector<std::string> EvolutionRun::asked_models() const {
  std::vector<std::string> models = m_settings.models;
  if (asks_verifiers(m_settings)) models.push_back(m_settings.verifier_model);
  if (translates()) models.push_back(m_settings.translate_model);
  return models;
}

void EvolutionRun::find_seeds() {
  m_plan.seeds = seeds_of(m_suite.manifest(), m_entry, m_device, m_further);
  if (m_settings.seed_kernel != "best") m_plan.first_parent = first_parent();
}

void EvolutionRun::add_translation(Archive& archive, const std::string& run, ModelUse& use,
                                   Journal& journal, const std::stop_token& stop) {
  const nlohmann::json translated = journal.once("translated", [&]() -> nlohmann::json {
    const std::string id = journal.once("translation", [&] {
      return nlohmann::json(begin_translation(archive, m_entry, m_device, m_settings));
    });
    const RunRow translation = translate(m_suite, archive, id, use, std::nullopt, stop);
    if (stop.stop_requested()) throw Cancelled();
    if (translation.state != "ended") {
      throw UserError("the reference is not translated yet: " + translation.stop_reason);
    }
    if (translation.winner == 0) return nullptr;
    return archive.content(archive.proposal(id, translation.winner).source_hash);
  });
  if (translated.is_null()) return;
  const fs::path file =
      archive.directory() / "runs" / run /
      (std::string(translated_seed) + (m_device == Device::cuda ? ".cu" : ".cpp"));
  OutputFile(file).write(translated.get<std::string>());
  KernelSource kernel = further_kernel(m_suite.manifest(), m_entry, m_device);
  kernel.name = translated_seed;
  kernel.sources = {file};
  m_further.push_back(std::move(kernel));
}

std::string EvolutionRun::first_parent() const {
  const std::string& name = m_settings.seed_kernel;
  std::string known;
  for (const Candidate& seed : m_plan.seeds) {
    const bool is_named =
        is_file(name) ? seed.kernel.sources == m_further.front().sources : seed.name == name;
    if (is_named) return seed.name;
    known += (known.empty() ? "" : ", ") + seed.name;
  }
  if (name == translated_seed) return "";  // none yet, or no attempt was right
  throw UserError("the kernel to begin with, '" + name + "', is none of " + known);
}

// The helper starts first, since it needs the keys, and whoever starts another takes them.
PromptSizes EvolutionRun::prompt_sizes(ModelUse& use) {
  (void)use.helper(m_settings);
  return {.first = json_bytes(first_prompt_text(use)), .kernel = json_bytes(first_shown().text)};
}

LikelySpending EvolutionRun::likely_spending(ModelUse& use) {
  return model_spending(use, m_settings,
                        planned_questions(m_settings, translates(), prompt_sizes(use)));
}

// A task that has no kernel before its translation shows what one begins with.
Candidate EvolutionRun::first_shown() {
  const Manifest& manifest = m_suite.manifest();
  const bool has_kernel = !manifest.kernels_of(m_entry, m_device).empty() ||
                          !m_plan.plain.empty() || !m_further.empty();
  if (translates() && !has_kernel) {
    const std::string text =
        starting_source(manifest, m_suite.task(m_entry.task), m_entry.direction, m_device).text;
    return {.id = 1,
            .name = translated_seed,
            .text = text,
            .hash = sha256(text),
            .kernel = further_kernel(manifest, m_entry, m_device)};
  }
  find_seeds();
  const std::string& wanted = m_plan.first_parent.empty() ? m_plan.plain : m_plan.first_parent;
  const auto found = std::ranges::find(m_plan.seeds, wanted, &Candidate::name);
  return found == m_plan.seeds.end() ? m_plan.seeds.front() : *found;
}

std::string EvolutionRun::first_prompt_text(const ModelUse& use) {
  const Candidate parent = first_shown();
  const std::size_t seeds = m_plan.seeds.size() + (translates() ? 1 : 0);
  return first_prompt(use, m_suite, m_entry, m_device, m_settings,
                      {.id = static_cast<std::int64_t>(seeds) + 1,
                       .parent = parent,
                       .configs = raced_configs(m_suite, m_plan)});
}

std::string EvolutionRun::plan_text() const {
  std::vector<std::string> names;
  for (const Candidate& seed : m_plan.seeds) names.push_back(seed.name);
  if (translates()) names = {"a translation of the reference", "the kernels of the entry"};
  const bool nobody_votes = asks_verifiers(m_settings) && !asks_models(m_settings);
  return fmt::format(
      "Evolves {} on {}. It begins with {} of {}. Proposals come from {}, {} in a generation. "
      "Up to {} are evaluated side by side. They race on {} configs, for at most {:g} minutes.{}",
      m_entry.name(), to_string(m_device),
      m_plan.first_parent.empty() ? "the fastest" : m_plan.first_parent + " out",
      fmt::join(names, ", "), proposers_text(m_settings), m_settings.population,
      std::min(m_plan.evaluated_at_a_time, m_settings.population),
      raced_configs(m_suite, m_plan).size(), m_settings.minutes,
      nobody_votes ? " Nobody votes on them, since no language model is among the proposers." : "");
}

std::unique_ptr<CandidateEvaluator> EvolutionRun::evaluator(const std::stop_token& stop) {
  // The task is named as the user named it. Another process may know it by its package alone.
  const EvaluatorRequest request{.task = m_evolved.task,
                                 .direction = std::string(to_string(m_entry.direction)),
                                 .configs = m_settings.configs,
                                 .estimators = m_settings.estimators,
                                 .slower_limit = m_settings.slower_limit,
                                 .side_by_side = m_plan.evaluated_at_a_time};
  if (m_evolved.gpus.size() > 1) {
    return evaluator_on_gpus(m_suite.manifest().path, m_evolved.gpus, request, stop,
                             m_plan.search.get_token());
  }
  return candidate_evaluator(
      m_suite, m_device, request,
      {.stop = stop,
       .search = m_plan.search.get_token(),
       .first_races = m_plan.first_races.get_token(),
       .on_progress = [this](const std::string& text) { m_view.progress(text); }});
}

RunRow EvolutionRun::go(Archive& archive, ModelUse& use, const std::string& resumed,
                        const std::optional<RecordedRun>& recorded, const std::stop_token& stop) {
  if (!resumed.empty()) require_same(archive.run(resumed), m_entry, m_device);
  if (!m_settings.prior.empty()) (void)archive.run(m_settings.prior);  // throws for an unknown one
  if (!recorded && !m_plan.seeds.empty()) {
    const std::string reason =
        skip_reason(m_plan.seeds.front().kernel, m_suite.manifest().toolchain);
    if (!reason.empty()) throw UserError("nothing can be evaluated here: " + reason);
  }
  if (!recorded) {
    require_program();
    if (asks_models(m_settings)) use.require_askable(m_settings, asked_models());
  }
  const std::string run =
      resumed.empty()
          ? archive
                .begin_run(m_entry, m_device, static_cast<std::uint64_t>(m_settings.seed),
                           to_json(m_settings))
                .id
          : resumed;
  archive.hold(run);
  std::fprintf(stderr, "%s\nrun %s in %s\n", plan_text().c_str(), run.c_str(),
               archive.directory().c_str());
  if (!m_settings.prior.empty()) {
    for (const ProposalRow& row : archive.proposals(archive.run(m_settings.prior).id)) {
      const bool was_decided = !was_cut_short(row);
      if (row.outcome == "refused" && was_decided) m_plan.refused_before.push_back(row.token_hash);
    }
  }
  Journal journal(archive, run, recorded);
  const std::stop_callback all_ends(stop, [this] { m_plan.search.request_stop(); });
  const std::stop_token search = m_plan.search.get_token();
  // Keys leave the environment before anything else starts.
  std::unique_ptr<ModelRun> models;
  if (asks_models(m_settings)) {
    models = std::make_unique<ModelRun>(use, m_settings, archive, run, journal, recorded,
                                        manifest_places(m_suite.manifest()),
                                        [search] { return search.stop_requested(); });
    m_view.spends([&models = *models] { return models.spending(); });
    models->session().listen({.noted = [this](const std::string& note) { m_view.note(note); }});
  }
  if (translates()) {
    const auto interrupted = [&](const std::string& reason) {
      RunRow row = archive.run(run);
      row.state = "interrupted";
      row.stop_reason = reason;
      archive.update_run(row);
      return row;
    };
    try {
      add_translation(archive, run, use, journal, stop);
    } catch (const Cancelled&) {
      return interrupted("interrupted");
    } catch (const UserError& error) {
      return interrupted(error.what());
    }
    find_seeds();
  }
  require_same_seeds(journal, m_plan.seeds, run);
  const std::unique_ptr<CandidateEvaluator> evaluates = evaluator(stop);
  const ProposedRun proposed{.suite = m_suite,
                             .plan = m_plan,
                             .directory = archive.directory() / "runs" / run,
                             .journal = journal,
                             .models = models.get(),
                             .stop = search};
  if (models) m_plan.votes = vote_plan_of(proposed);
  Evolution evolution(m_plan, archive, run, journal, *evaluates, proposers_of(proposed),
                      [this](const nlohmann::json& event) { m_view.show(event); });
  return evolution.run(stop);
}

}  // namespace robust_kbench
