#include "cli/evolve_all.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <vector>

#include "cli/archive/costs_text.hpp"
#include "cli/model_estimate.hpp"
#include "cli/model_run.hpp"
#include "core/error.hpp"
#include "core/speedup.hpp"
#include "evolve/speedup_text.hpp"
#include "process/escape.hpp"
#include "report/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

std::vector<Entry> entries_of(const Manifest& manifest) {
  std::vector<Entry> entries;
  for (const KernelSource& kernel : manifest.kernels) {
    if (std::find(entries.begin(), entries.end(), kernel.entry) == entries.end()) {
      entries.push_back(kernel.entry);
    }
  }
  return entries;
}

// The last run of the entry with these settings.
std::optional<RunRow> known_run(const Archive& archive, const Entry& entry, Device device,
                                const EvolutionSettings& settings) {
  std::optional<RunRow> known;
  for (RunRow& run : archive.runs()) {
    if (run.entry == entry && run.device == device && run.settings == to_json(settings)) {
      known = std::move(run);
    }
  }
  return known;
}

// The runs of the command so far, whichever entries they are for.
std::vector<std::string> known_runs(const Archive& archive, const EvolutionSettings& settings) {
  std::vector<std::string> known;
  for (const RunRow& run : archive.runs()) {
    if (run.settings == to_json(settings)) known.push_back(run.id);
  }
  return known;
}

// What the command spent before it was interrupted counts, also that for translations.
void cover_known_runs(const Archive& archive, ModelUse& models, const EvolutionSettings& settings) {
  Ledger& ledger = models.ledger(archive.directory(), settings);
  for (const std::string& known : known_runs(archive, settings)) {
    for (const std::string& run : asking_runs(archive, known)) ledger.cover(run);
  }
}

// All that counts against the cap.
void print_costs(const Archive& archive, ModelUse& models, const EvolutionSettings& settings) {
  std::vector<CallRow> all;
  for (const std::string& known : known_runs(archive, settings)) {
    const std::vector<CallRow> calls = calls_of(models.store(), archive, known);
    all.insert(all.end(), calls.begin(), calls.end());
  }
  std::printf("\n%s", costs_text(all).c_str());
}

// Over eager: the winner's, or what the run began with.
std::optional<double> over_eager(const RunRow& run) {
  const nlohmann::json& summary = run.summary;
  if (run.winner != 0 && summary.contains("confirmed") && summary["confirmed"].contains("eager")) {
    return summary["confirmed"]["eager"]["ratio"].get<double>();
  }
  if (summary.contains("eager_cost")) return summary["eager_cost"].get<double>();
  return std::nullopt;
}

// KernelBench's fast_p: the share of entries whose kernel is right and more than p times as fast as
// eager.
std::string fast_p(const std::vector<RunRow>& runs) {
  std::string text;
  for (const double p : {1.0, 1.5, 2.0}) {
    const auto count = std::count_if(runs.begin(), runs.end(), [&](const RunRow& run) {
      return over_eager(run).value_or(0) > p;
    });
    text += fmt::format("{}fast_{:g} {:.2f}", text.empty() ? "" : ", ", p,
                        static_cast<double>(count) / static_cast<double>(runs.size()));
  }
  return text;
}

void print_table(const std::vector<RunRow>& runs) {
  Table table({"entry", "device", "proposals", "outcome", "over parent", "on unseen configs",
               "over eager", "ended by"});
  for (const RunRow& run : runs) {
    const std::optional<double> eager = over_eager(run);
    table.add({run.entry.name(), std::string(to_string(run.device)),
               std::to_string(run.summary.value("proposals", 0)),
               run.winner == 0 ? "nothing better" : run.summary.value("outcome", "-"),
               summary_speedup(run.summary, "confirmed", "parent"),
               summary_speedup(run.summary, "unseen", "parent"), eager ? ratio_text(*eager) : "-",
               escaped_line(run.stop_reason)});
  }
  std::printf("%s", table.console().c_str());
  if (!runs.empty()) std::printf("%s\n", fast_p(runs).c_str());
}

// Why the entries that follow would be searched without the models that were asked for.
std::optional<std::string> models_refused(ModelUse& models, const Archive& archive,
                                          const EvolutionSettings& settings) {
  if (!asks_models(settings) || settings.transport == "manual") return std::nullopt;
  const Ledger& ledger = models.ledger(archive.directory(), settings);
  const std::optional<std::string> stopped = ledger.stopped();
  return stopped ? stopped : ledger.exhausted();
}

EvolvedEntry evolved(const Entry& entry, const std::string& device, const std::vector<int>& gpus) {
  return {entry.task, std::string(to_string(entry.direction)), device, gpus};
}

}  // namespace

LikelySpending print_plan(EvolutionRun& run, ModelUse& models, const EvolutionSettings& settings) {
  std::printf("%s\n", run.plan_text().c_str());
  if (!asks_models(settings)) return {};
  const LikelySpending likely = run.likely_spending(models);
  std::printf("%s\n", model_estimate(models, likely, settings, run.translates()).c_str());
  return likely;
}

int plan_all(const Suite& suite, ModelUse& models, const EvolutionSettings& settings,
             const std::string& device, const std::vector<int>& gpus) {
  LikelySpending all;
  int planned = 0;
  int failed = 0;
  for (const Entry& entry : entries_of(suite.manifest())) {
    try {
      EvolutionRun run(suite, evolved(entry, device, gpus), settings);
      all += print_plan(run, models, settings);
      ++planned;
    } catch (const UserError& error) {
      ++failed;
      std::fprintf(stderr, "%s: %s\n", entry.name().c_str(), error.what());
    }
  }
  std::printf("%d entries, one after another, for at most %g minutes of search.\n", planned,
              planned * settings.minutes);
  if (asks_models(settings)) {
    std::printf("Likely for all of them: %s.\n", likely_text(all, settings).c_str());
  }
  return failed == 0 ? ExitCode::pass : ExitCode::harness_error;
}

int evolve_all(const Suite& suite, Archive& archive, ModelUse& models,
               const EvolutionSettings& settings, const std::string& device,
               const std::vector<int>& gpus, const std::stop_token& stop) {
  if (asks_models(settings)) cover_known_runs(archive, models, settings);
  std::vector<RunRow> runs;
  int failed = 0;
  std::string ended_early;  // why
  for (const Entry& entry : entries_of(suite.manifest())) {
    try {
      EvolutionRun evolution(suite, evolved(entry, device, gpus), settings);
      const std::optional<RunRow> known = known_run(archive, entry, evolution.device(), settings);
      if (known && known->state == "ended") {
        runs.push_back(*known);
        continue;
      }
      if (const auto refused = models_refused(models, archive, settings)) {
        ended_early = *refused;
        break;
      }
      runs.push_back(evolution.go(archive, models, known ? known->id : "", std::nullopt, stop));
      if (runs.back().state != "ended") ended_early = runs.back().stop_reason;
      if (!ended_early.empty()) break;
    } catch (const UserError& error) {
      ++failed;
      std::fprintf(stderr, "%s: %s\n", entry.name().c_str(), error.what());
    }
  }
  print_table(runs);
  if (asks_models(settings)) print_costs(archive, models, settings);
  if (!ended_early.empty()) {
    std::printf("%s; the same command goes on\n", escaped_line(ended_early).c_str());
  }
  return failed == 0 && ended_early.empty() ? ExitCode::pass : ExitCode::harness_error;
}

}  // namespace robust_kbench
