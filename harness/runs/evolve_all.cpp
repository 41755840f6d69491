#include "runs/evolve_all.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "runs/model_run.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

// The command's runs so far, whichever entries they are for.
std::vector<RunRow> known_runs(const Archive& archive, const EvolutionSettings& settings) {
  std::vector<RunRow> known = archive.runs();
  std::erase_if(known,
                [kept = to_json(settings)](const RunRow& run) { return run.settings != kept; });
  return known;
}

// The last run of the entry with these settings.
std::optional<RunRow> last_run(const Archive& archive, const EvolutionRun& evolution) {
  const StartKernels& kernels = evolution.kernels();
  std::optional<RunRow> last;
  for (RunRow& run : known_runs(archive, kernels.settings())) {
    if (run.entry == kernels.entry() && run.device == kernels.device()) last = std::move(run);
  }
  return last;
}

// Counts what the command spent before it was interrupted, too.
void cover_known_runs(const RunContext& context, const EvolutionSettings& settings) {
  Ledger& ledger = context.models.ledger(context.archive, settings);
  for (const RunRow& known : known_runs(context.archive, settings)) {
    for (const std::string& run : asking_runs(context.archive, known.id)) ledger.cover(run);
  }
}

// Why the entries that follow would be searched without the models that were asked for.
std::optional<std::string> models_refused(const RunContext& context,
                                          const EvolutionSettings& settings) {
  if (!asks_models(settings) || settings.transport == "manual") return std::nullopt;
  const Ledger& ledger = context.models.ledger(context.archive, settings);
  const std::optional<std::string> stopped = ledger.stopped();
  return stopped ? stopped : ledger.exhausted();
}

}  // namespace

std::vector<Entry> evolved_entries(const Manifest& manifest) {
  std::vector<Entry> entries;
  for (const KernelSource& kernel : manifest.kernels) {
    if (std::ranges::find(entries, kernel.entry) == entries.end()) entries.push_back(kernel.entry);
  }
  return entries;
}

std::vector<CallRow> calls_of_all(const Archive& archive, const EvolutionSettings& settings) {
  std::vector<CallRow> all;
  for (const RunRow& known : known_runs(archive, settings)) {
    const std::vector<CallRow> calls = calls_of(archive, known.id);
    all.insert(all.end(), calls.begin(), calls.end());
  }
  return all;
}

AllEvolutions evolve_all(const RunContext& context, const EvolutionSettings& settings,
                         const EvolveEach& each) {
  if (asks_models(settings)) cover_known_runs(context, settings);
  AllEvolutions all;
  for (const Entry& entry : evolved_entries(context.suite.manifest())) {
    try {
      EvolutionRun evolution = each.plan(entry);
      const std::optional<RunRow> known = last_run(context.archive, evolution);
      if (known && known->state == RunState::ended) {
        all.runs.push_back(*known);
        continue;
      }
      if (const auto refused = models_refused(context, settings)) {
        all.ended_early = *refused;
        break;
      }
      all.runs.push_back(each.go(evolution, known ? known->id : ""));
      if (all.runs.back().state != RunState::ended) all.ended_early = all.runs.back().stop_reason;
      if (!all.ended_early.empty()) break;
    } catch (const UserError& error) {
      ++all.failed;
      each.failed(entry, error.what());
    }
  }
  return all;
}

}  // namespace robust_kbench
