#include "cli/evolution_view.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "archive/standing.hpp"
#include "cli/speedup_table.hpp"
#include "cli/status_parts.hpp"
#include "core/own_command.hpp"
#include "core/speedup.hpp"
#include "core/utf8.hpp"
#include "evolve/seeds.hpp"
#include "evolve/speedup_text.hpp"
#include "evolve/tuning_report.hpp"
#include "process/escape.hpp"
#include "torch_task/given_task_word.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

constexpr std::size_t longest_shown_reason = 90;  // bytes

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
  const auto plain = costs.find(plain_seed);
  const bool began_elsewhere = plain != costs.end() && plain->get<double>() != 1;
  const nlohmann::json proposers = run.settings.value("proposers", nlohmann::json::array());
  const bool asked_models = std::ranges::find(proposers, "llm") != proposers.end();
  const std::string again = fmt::format(
      "{} evolve --task {} --direction {} --device {}{}", own_command(), given_task_word(task),
      to_string(run.entry.direction), to_string(run.device), archive);
  std::string text;
  if (run.stop_reason == "wall clock") {
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

std::string summary_text(const RunRow& run, const std::string& archive, const std::string& task) {
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
  if (run.winner == 0) {
    const bool tried = summary.value("proposals", 0) > 0;
    return text +
           (tried ? "Nothing was better than what it began with.\n" : "Nothing was tried.\n") +
           (run.state == "ended" ? what_to_try(run, archive, task) : "");
  }
  const std::string outcome = summary.at("outcome");
  text += fmt::format("The winner is proposal {}, {}: {}\n", run.winner,
                      has_confirmed_winner(run) ? "confirmed" : "not confirmed",
                      escaped_line(summary.at("strategy").get<std::string>()));
  text += speedup_table(summary);
  text += estimated_text(summary);
  if (!has_confirmed_winner(run)) return text + "It is not confirmed: the run was interrupted.\n";
  if (outcome == "specialised") {
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
                            outcome == "specialised" ? " --specialised" : "",
                            names_a_package(task) ? " --task " + given_task_word(task) : "",
                            archive);
}

}  // namespace

void EvolutionView::line(const std::string& text) {
  m_line.finish(fmt::format("[{:>4.0f} s] {}", m_line.seconds(), text));
}

void EvolutionView::progress(const std::string& text) {
  const std::lock_guard lock(m_mutex);
  update(text);
}

void EvolutionView::note(const std::string& text) {
  const std::lock_guard lock(m_mutex);
  line(text);
}

std::string EvolutionView::status(const std::string& doing, std::size_t width) const {
  const std::lock_guard lock(m_mutex);
  return status_text(doing, width);
}

std::size_t EvolutionView::reached(const std::string& stage) const {
  const auto found = m_reached.find(stage);
  return found == m_reached.end() ? 0 : found->second.size();
}

std::string EvolutionView::status_text(const std::string& doing, std::size_t width) const {
  const double left = std::max(0.0, 60 * m_settings.minutes - m_line.seconds());
  return joined_status(
      {{.text = fmt::format("{:.0f} s left", left), .keep = 7},
       {.text = escaped_line(m_spending ? m_spending() : ""), .keep = 5},
       {.text = m_best, .keep = 6},
       {.text = m_best_step, .keep = 2},
       {.text = fmt::format("generation {}", m_generation), .keep = 1},
       {.text = fmt::format("{} compiled, {} tested, {} raced", reached("compiled"),
                            reached("tested"), reached("raced")),
        .keep = 0},
       {.text = fmt::format("{} refused, {} accepted", m_refused, m_accepted), .keep = 3},
       {.text = escaped_line(m_trying), .keep = 4},
       {.text = escaped_line(doing), .keep = 8}},
      width);
}

void EvolutionView::update(const std::string& doing) {
  m_line.update(status_text(doing, ProgressLine::width() - 1));
}

void EvolutionView::proposal(const nlohmann::json& event) {
  const std::string stage = event.at("stage");
  const std::string outcome = event.at("outcome");
  m_generation = event.at("generation");
  const std::int64_t id = event.at("id");
  // A race that was lost is over, too.
  if (outcome.empty() || (stage == "raced" && outcome == "refused")) m_reached[stage].insert(id);
  if (outcome != "refused") return;
  ++m_refused;
  line(fmt::format("{:>4} {:<10} {}: {}", id, event.at("reason_class").get<std::string>(),
                   event.at("strategy").get<std::string>(),
                   first_line(event.at("reason").get<std::string>(), longest_shown_reason)));
}

// A slower child that is accepted later does not displace the best one.
void EvolutionView::accepted(const nlohmann::json& event) {
  ++m_accepted;
  const std::string over_parent = with_interval({.against = "parent",
                                                 .ratio = event.at("speedup"),
                                                 .ci_low = event.at("ci_low"),
                                                 .ci_high = event.at("ci_high")});
  const double over_first = event.at("over_first_parent");
  if (over_first > m_best_over_first) {
    m_best_over_first = over_first;
    m_best = ratio_text(over_first) + " over the first parent";
    m_best_step = "by a step of " + over_parent;
  }
  const double over_registered = event.value("over_registered", 0.0);
  const bool shows_registered = !m_registered.empty() && over_registered > 0;
  line(fmt::format(
      "{:>4} {:<10} {}: {} over its parent, {} over the first parent{}",
      event.at("id").get<std::int64_t>(), "ACCEPTED", event.at("strategy").get<std::string>(),
      over_parent, ratio_text(m_best_over_first),
      shows_registered ? fmt::format(", {} over {}", ratio_text(over_registered), m_registered)
                       : ""));
}

void EvolutionView::seeds(const nlohmann::json& event) {
  const std::string parent = event.at("parent");
  std::string others;
  for (const auto& [name, cost] : event.at("costs").items()) {
    if (name != parent) {
      others += fmt::format("; {} takes {:.2f} times as long", name, cost.get<double>());
    }
  }
  line(fmt::format("begins with {}{}", parent, others));
  m_registered = event.value("registered", "");
  if (m_registered.empty()) return;
  const double cost = event.at("costs").at(m_registered);
  if (cost >= 1) return;
  line(
      fmt::format("the registered kernel {} is {} over {}; `rkb archive adopt` takes a winner "
                  "that is faster than that",
                  m_registered, ratio_text(1 / cost), parent));
}

void EvolutionView::show(const nlohmann::json& event) {
  const std::lock_guard lock(m_mutex);
  const std::string kind = event.at("event");
  if (kind == "asking") {
    m_trying = event.at("proposer");
    update("asking");
  } else if (kind == "trying") {
    m_trying = event.at("strategy");
    if (event.value("proposer", "") == "seed") line("tests " + m_trying);
    update("compiling");
  } else if (kind == "proposal") {
    proposal(event);
  } else if (kind == "seeds") {
    seeds(event);
  } else if (kind == "accepted") {
    accepted(event);
  } else if (kind == "confirming") {
    m_trying = "confirming " + event.at("strategy").get<std::string>();
    line(m_trying);
  }
}

std::string EvolutionView::summary(const RunRow& run, const std::string& archive,
                                   const std::string& task) {
  return escaped(summary_text(run, archive, task.empty() ? run.entry.task : task));
}

}  // namespace robust_kbench
