#include "cli/evolve_all.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <vector>

#include "cli/evolution_run.hpp"
#include "core/error.hpp"
#include "evolve/speedup_text.hpp"
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

// What the command spent before it was interrupted counts, whichever entry it was for.
void cover_known_runs(const Archive& archive, ModelUse& models, const EvolutionSettings& settings) {
  Ledger& ledger = models.ledger(archive.directory(), settings);
  for (const RunRow& run : archive.runs()) {
    if (run.settings == to_json(settings)) ledger.cover(run.id);
  }
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
               summary_speedup(run.summary, "unseen", "parent"),
               eager ? fmt::format("{:.2f}x", *eager) : "-", run.stop_reason});
  }
  std::printf("%s", table.console().c_str());
  if (!runs.empty()) std::printf("%s\n", fast_p(runs).c_str());
}

}  // namespace

int evolve_all(const Suite& suite, Archive& archive, ModelUse& models,
               const EvolutionSettings& settings, const std::string& device,
               const std::vector<int>& gpus, const std::stop_token& stop) {
  if (asks_models(settings)) cover_known_runs(archive, models, settings);
  std::vector<RunRow> runs;
  int failed = 0;
  for (const Entry& entry : entries_of(suite.manifest())) {
    if (stop.stop_requested()) break;
    try {
      EvolutionRun evolution(
          suite, {entry.task, std::string(to_string(entry.direction)), device, gpus}, settings);
      const std::optional<RunRow> known = known_run(archive, entry, evolution.device(), settings);
      if (known && known->state == "ended") {
        runs.push_back(*known);
        continue;
      }
      runs.push_back(evolution.go(archive, models, known ? known->id : "", std::nullopt, stop));
    } catch (const UserError& error) {
      ++failed;
      std::fprintf(stderr, "%s: %s\n", entry.name().c_str(), error.what());
    }
  }
  print_table(runs);
  if (stop.stop_requested()) std::printf("interrupted; the same command goes on\n");
  return failed == 0 && !stop.stop_requested() ? ExitCode::pass : ExitCode::harness_error;
}

}  // namespace robust_kbench
