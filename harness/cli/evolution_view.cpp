#include "cli/evolution_view.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "cli/speedup_table.hpp"
#include "core/utf8.hpp"
#include "evolve/speedup_text.hpp"
#include "evolve/tuning_report.hpp"
#include "process/escape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

constexpr std::size_t longest_shown_reason = 90;  // bytes

// What other estimators say of the winner, a line each.
std::string estimated_text(const nlohmann::json& summary) {
  std::string text;
  const nlohmann::json estimated = summary.value("estimated", nlohmann::json::object());
  for (const auto& [estimator, speedups] : estimated.items()) {
    std::vector<std::string> parts;
    for (const auto& [name, ratio] : speedups.items()) {
      parts.push_back(fmt::format("{:.2f}x over {}", ratio.get<double>(), name));
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
    text += fmt::format("{:<{}}{:>7.2f}x{:>12.2f}x  {}\n", best.config, width, best.speedup,
                        best.speedup_of_one, values_text(best.setting));
  }
  return text +
         fmt::format("One setting for all, {}, takes {:.1f} % longer than the best of each.\n\n",
                     values_text(report.setting), 100 * report.gives_up);
}

// Whether `rkb archive adopt` may find the winner faster than what is registered.
bool is_worth_adopting(const nlohmann::json& summary) {
  const nlohmann::json confirmed = summary.value("confirmed", nlohmann::json::object());
  const auto over = confirmed.find("registered");
  return over == confirmed.end() || over->at("ci_low").get<double>() > 1;
}

std::string summary_text(const RunRow& run, const std::string& archive) {
  const nlohmann::json& summary = run.summary;
  std::string text = fmt::format("\n{} on {}: {} proposals, {} tested, in {:.0f} s; ended by: {}\n",
                                 run.entry.name(), to_string(run.device),
                                 summary.value("proposals", 0), summary.value("candidates", 0),
                                 summary.value("seconds", 0.0), escaped_line(run.stop_reason));
  const nlohmann::json empty_us = summary.value("empty_us", nlohmann::json::object());
  for (const auto& [config, us] : empty_us.items()) {
    text += fmt::format("  an empty kernel takes {:.2f} us on {}\n", us.get<double>(), config);
  }
  const nlohmann::json refused = summary.value("refused", nlohmann::json::object());
  for (const auto& [reason, count] : refused.items()) {
    text += fmt::format("  {:>4} refused: {}\n", count.get<int>(), reason);
  }
  text += fmt::format("  all of them: rkb archive show {}{}\n\n", run.id, archive);
  text += summary.value("verifiers_text", "");
  for (const nlohmann::json& report : summary.value("tuning", nlohmann::json::array())) {
    text += tuning_text(report.get<TuningReport>());
  }
  if (run.winner == 0 && run.state == "ended" && summary.value("proposals", 0) == 0) {
    return text + "Nothing was tried. More time may help, as by: --set minutes=5\n";
  }
  if (run.winner == 0) {
    return text + "Nothing was better than what it began with.\n";
  }
  const std::string outcome = summary.at("outcome");
  text += fmt::format("The winner is proposal {}: {}\n", run.winner,
                      escaped_line(summary.at("strategy").get<std::string>()));
  text += speedup_table(summary);
  text += estimated_text(summary);
  if (run.state != "ended") return text + "It is not confirmed: the run was interrupted.\n";
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
  return text + fmt::format("adopt it: rkb archive adopt {}{}{}\n", run.id,
                            outcome == "specialised" ? " --specialised" : "", archive);
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

std::string EvolutionView::status(const std::string& doing) const {
  const std::lock_guard lock(m_mutex);
  return status_text(doing);
}

std::size_t EvolutionView::reached(const std::string& stage) const {
  const auto found = m_reached.find(stage);
  return found == m_reached.end() ? 0 : found->second.size();
}

std::string EvolutionView::status_text(const std::string& doing) const {
  const double left = std::max(0.0, 60 * m_settings.minutes - m_line.seconds());
  const std::string money = m_spending ? m_spending() : "";
  return escaped_line(fmt::format(
      "{:.0f} s left; {}{}; generation {}, {} compiled, {} tested, {} raced, {} refused, {} "
      "accepted; {}: {}",
      left, money.empty() ? "" : money + "; ", m_best, m_generation, reached("compiled"),
      reached("tested"), reached("raced"), m_refused, m_accepted, m_trying, doing));
}

void EvolutionView::update(const std::string& doing) {
  m_line.update(status_text(doing));
}

void EvolutionView::proposal(const nlohmann::json& event) {
  const std::string stage = event.at("stage");
  const std::string outcome = event.at("outcome");
  m_generation = event.at("generation");
  const std::int64_t id = event.at("id");
  // A race is over when it is lost, too.
  if (outcome.empty() || (stage == "raced" && outcome == "refused")) m_reached[stage].insert(id);
  if (outcome != "refused") return;
  ++m_refused;
  line(fmt::format("{:>4} {:<10} {}: {}", id, event.at("reason_class").get<std::string>(),
                   event.at("strategy").get<std::string>(),
                   first_line(event.at("reason").get<std::string>(), longest_shown_reason)));
}

// The best one stays the best where a slower child is accepted after it.
void EvolutionView::accepted(const nlohmann::json& event) {
  ++m_accepted;
  const std::string over_parent = with_interval({.against = "parent",
                                                 .ratio = event.at("speedup"),
                                                 .ci_low = event.at("ci_low"),
                                                 .ci_high = event.at("ci_high")});
  const double over_first = event.at("over_first_parent");
  if (over_first > m_best_over_first) {
    m_best_over_first = over_first;
    m_best = fmt::format("{:.2f}x over the first parent, by a step of {}", over_first, over_parent);
  }
  line(fmt::format("{:>4} {:<10} {}: {} over its parent, {:.2f}x over the first parent",
                   event.at("id").get<std::int64_t>(), "ACCEPTED",
                   event.at("strategy").get<std::string>(), over_parent, m_best_over_first));
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
    std::string others;
    for (const auto& [name, cost] : event.at("costs").items()) {
      if (name == event.at("parent").get<std::string>()) continue;
      others += fmt::format("; {} takes {:.2f} times as long", name, cost.get<double>());
    }
    line(fmt::format("begins with {}{}", event.at("parent").get<std::string>(), others));
  } else if (kind == "accepted") {
    accepted(event);
  } else if (kind == "confirming") {
    m_trying = "confirming " + event.at("strategy").get<std::string>();
    line(m_trying);
  }
}

std::string EvolutionView::summary(const RunRow& run, const std::string& archive) {
  return escaped(summary_text(run, archive));
}

}  // namespace robust_kbench
