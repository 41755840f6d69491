#include "agent/evolution_summary.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "agent/speedup_table.hpp"
#include "archive/standing.hpp"
#include "core/own_command.hpp"
#include "core/speedup.hpp"
#include "evolve/speedup_text.hpp"
#include "evolve/starts.hpp"
#include "evolve/stop_rule.hpp"
#include "evolve/tuning_report.hpp"
#include "process/escape.hpp"
#include "torch_task/given_task_word.hpp"
#include "torch_task/package_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

// Returns a line for each other estimator, with the winner's speed-ups by it.
std::string estimated_text(const nlohmann::json& summary) {
  std::string text;
  const nlohmann::json estimated = summary.value("estimated", nlohmann::json::object());
  for (const auto& [estimator, speedups] : estimated.items()) {
    std::vector<std::string> parts;
    for (const auto& [name, ratio] : speedups.items()) {
      parts.push_back(fmt::format("{} over {}", ratio_text(ratio.get<double>()), name));
    }
    text += fmt::format("by the estimator {}: {}\n", estimator, fmt::join(parts, ", "));
  }
  return text;
}

std::string values_text(const std::string& setting) {
  return setting.empty() ? "as they are" : setting;
}

std::string tuning_text(const TuningReport& report) {
  std::size_t width = 14;
  for (const BestSetting& best : report.configs) width = std::max(width, best.config.size() + 2);
  std::string text =
      fmt::format("Values of kernel {}, {} settings timed:\n", report.tuned, report.settings);
  text +=
      fmt::format("{:<{}}{:>8}{:>13}  {}\n", "config", width, "best", "one for all", "best values");
  for (const BestSetting& best : report.configs) {
    text += fmt::format("{:<{}}{:>8}{:>13}  {}\n", best.config, width, ratio_text(best.speedup),
                        ratio_text(best.speedup_of_one), values_text(best.setting));
  }
  return text +
         fmt::format("One setting for all, {}, takes {:.1f} % longer than the best of each.\n\n",
                     values_text(report.setting), 100 * report.gives_up);
}

// Returns whether `rkb archive adopt` may find the winner faster than the registered kernels.
bool is_worth_adopting(const nlohmann::json& summary) {
  const nlohmann::json confirmed = summary.value("confirmed", nlohmann::json::object());
  const auto over = confirmed.find("registered");
  return over == confirmed.end() || over->at("ci_low").get<double>() > 1;
}

// Returns the minutes, in steps of a half, that leave time for some candidates beside the run's own
// kernels.
double enough_minutes(const RunRow& run) {
  constexpr double candidates_in_more_time = 10;
  const nlohmann::json& summary = run.summary;
  const double needed = summary.value("seconds", 0.0) +
                        candidates_in_more_time * summary.value("seconds_to_come", 0.0);
  const double minutes = std::max(2 * run.settings.value("minutes", 0.0), needed / 60);
  return std::ceil(2 * minutes) / 2;
}

// Returns a command in each line for runs that may find something after this one has not.
std::string what_to_try(const RunRow& run, const std::string& archive, const std::string& task) {
  const nlohmann::json costs = run.summary.value("seeds", nlohmann::json::object());
  const auto plain = costs.find(plain_start);
  const bool began_elsewhere = plain != costs.end() && plain->get<double>() != 1;
  const nlohmann::json proposers = run.settings.value("proposers", nlohmann::json::array());
  const bool asked_models = std::ranges::find(proposers, "llm") != proposers.end();
  const std::string again = fmt::format(
      "{} evolve --task {} --direction {} --device {}{}", own_command(), given_task_word(task),
      to_string(run.entry.direction), to_string(run.device), archive);
  std::string text;
  if (run.stop_reason == wall_clock_reason) {
    text += fmt::format("  with more time: {} --set minutes={:g}\n", again, enough_minutes(run));
  }
  if (began_elsewhere) {
    text += fmt::format(
        "  from the plain kernel, which leaves more to find: {} --seed-kernel plain\n", again);
  }
  if (!asked_models) {
    text += fmt::format(
        "  with language models, where a key is set (docs/models.md): {} --max-usd 2\n", again);
  }
  return text.empty() ? "" : "To look further:\n" + text;
}

// Describes what the run has tried, and what became of it.
std::string search_text(const RunRow& run, const std::string& archive) {
  const nlohmann::json& summary = run.summary;
  std::string text = fmt::format("\n{} on {}: {} proposals, {} tested, in {:.0f} s; ended by: {}\n",
                                 run.entry.name(), to_string(run.device),
                                 summary.value("proposals", 0), summary.value("candidates", 0),
                                 summary.value("seconds", 0.0), escaped_line(run.stop_reason));
  if (summary.contains("first_decided_s")) {
    text += fmt::format("  {} candidates decided, {:.1f} a minute; the first after {:.0f} s\n",
                        summary.value("decided", 0), summary.value("decided_per_minute", 0.0),
                        summary.value("first_decided_s", 0.0));
  }
  const nlohmann::json empty_us = summary.value("empty_us", nlohmann::json::object());
  for (const auto& [config, us] : empty_us.items()) {
    text += fmt::format("  an empty kernel takes {:.2f} us on {}\n", us.get<double>(), config);
  }
  const nlohmann::json refused = summary.value("refused", nlohmann::json::object());
  for (const auto& [reason, count] : refused.items()) {
    text += fmt::format("  {:>4} refused: {}\n", count.get<int>(), reason);
  }
  text += fmt::format("  all of them: {} archive show {}{}\n\n", own_command(), run.id, archive);
  text += summary.value("verifiers_text", "");
  for (const nlohmann::json& report : summary.value("tuning", nlohmann::json::array())) {
    text += tuning_text(report.get<TuningReport>());
  }
  return text;
}

std::string no_winner_text(const RunRow& run, const std::string& archive, const std::string& task) {
  const bool tried = run.summary.value("proposals", 0) > 0;
  return (tried ? "Nothing was better than what it began with.\n" : "Nothing was tried.\n") +
         (run.state == RunState::ended ? what_to_try(run, archive, task) : "");
}

std::string winner_text(const RunRow& run, const std::string& archive, const std::string& task) {
  const nlohmann::json& summary = run.summary;
  const bool is_confirmed = has_confirmed_winner(run);
  const bool is_specialised = summary.at("outcome") == to_string(ProposalOutcome::specialised);
  std::string text = fmt::format("The winner is proposal {}, {}: {}\n", run.winner,
                                 is_confirmed ? "confirmed" : "not confirmed",
                                 escaped_line(summary.at("strategy").get<std::string>()));
  text += speedup_table(summary);
  text += estimated_text(summary);
  if (!is_confirmed) return text + "It is not confirmed: the run was interrupted.\n";
  if (is_specialised) {
    text +=
        "It is specialised: right on configs that no proposer has seen, but not certainly faster "
        "there, or it refuses them.\n";
  }
  text += fmt::format("source: {}\n", summary.at("source").get<std::string>());
  if (!is_worth_adopting(summary)) {
    return text +
           "It is not certainly faster than the best registered kernel, so `rkb archive "
           "adopt` would refuse it.\n";
  }
  return text + fmt::format("adopt it: {} archive adopt {}{}{}{}\n", own_command(), run.id,
                            is_specialised ? " --specialised" : "",
                            names_a_package(task) ? " --task " + given_task_word(task) : "",
                            archive);
}

}  // namespace

std::string evolution_summary(const RunRow& run, const std::string& archive,
                              const std::string& given_task) {
  const std::string& task = given_task.empty() ? run.entry.task : given_task;
  const std::string text = search_text(run, archive);
  return escaped(text + (run.winner == 0 ? no_winner_text(run, archive, task)
                                         : winner_text(run, archive, task)));
}

}  // namespace robust_kbench
