#include "agent/all_evolutions.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "agent/archive/archive_json.hpp"
#include "agent/archive/costs_text.hpp"
#include "agent/evolution_view.hpp"
#include "agent/model_estimate.hpp"
#include "agent/translation_view.hpp"
#include "core/error.hpp"
#include "core/speedup.hpp"
#include "evolve/speedup_text.hpp"
#include "process/escape.hpp"
#include "report/table.hpp"
#include "runs/evolve_all.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

// The speed-up over eager of the winner, or of what the run began with.
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

// The entry, on the machines of `given`.
EvolvedEntry evolved(const Entry& entry, const EvolvedEntry& given) {
  return {entry.task, std::string(to_string(entry.direction)), given.device, given.gpus,
          given.pilots};
}

void print_failure(const Entry& entry, const std::string& why) {
  std::fprintf(stderr, "%s: %s\n", entry.name().c_str(), why.c_str());
}

}  // namespace

LikelySpending print_plan(const EvolutionRun& run, ModelUse& models) {
  std::printf("%s\n", run.plan_text().c_str());
  const EvolutionSettings& settings = run.kernels().settings();
  if (!asks_models(settings)) return {};
  const LikelySpending likely = run.likely_spending(models);
  std::printf("%s\n", model_estimate(models, likely, settings, run.kernels().translates()).c_str());
  return likely;
}

int plan_all_entries(const Suite& suite, ModelUse& models, const EvolutionSettings& settings,
                     const EvolvedEntry& machines) {
  LikelySpending all;
  int planned = 0;
  int failed = 0;
  for (const Entry& entry : evolved_entries(suite.manifest())) {
    try {
      all += print_plan(EvolutionRun(suite, evolved(entry, machines), settings), models);
      ++planned;
    } catch (const UserError& error) {
      ++failed;
      print_failure(entry, error.what());
    }
  }
  std::printf("%d entries, one after another, for at most %g minutes of search.\n", planned,
              planned * settings.minutes);
  if (asks_models(settings)) {
    std::printf("Likely for all of them: %s.\n", likely_text(all, settings).c_str());
  }
  return failed == 0 ? ExitCode::pass : ExitCode::harness_error;
}

int evolve_all_entries(const RunContext& context, const EvolutionSettings& settings,
                       const EvolvedEntry& machines, const OutputFile& json) {
  const auto plan = [&](const Entry& entry) {
    return EvolutionRun(context.suite, evolved(entry, machines), settings);
  };
  const auto go = [&](EvolutionRun& evolution, const std::string& resumed) {
    EvolutionView view(settings);
    TranslationView translation(settings.translate_attempts);
    return evolution.go(context, resumed, {view, translation});
  };
  const AllEvolutions all = evolve_all(context, settings, {plan, go, print_failure});
  print_table(all.runs);
  nlohmann::json runs = nlohmann::json::array();
  for (const RunRow& run : all.runs) runs.push_back(run_json(context.archive, run.id));
  write_archive_json(json, runs);
  if (asks_models(settings)) {
    const std::vector<CallRow> calls = calls_of_all(context.archive, settings);
    std::printf("\n%s", costs_text(calls).c_str());
  }
  if (!all.ended_early.empty()) {
    std::printf("%s; the same command goes on\n", escaped_line(all.ended_early).c_str());
  }
  const bool whole = all.failed == 0 && all.ended_early.empty();
  return whole ? ExitCode::pass : ExitCode::harness_error;
}

}  // namespace robust_kbench
