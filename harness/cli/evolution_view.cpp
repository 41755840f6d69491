#include "cli/evolution_view.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "evolve/speedup_text.hpp"
#include "evolve/tuning_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

std::string table_of(const nlohmann::json& summary) {
  std::string table = fmt::format("{:<22}{:>10}  {:<22}{:<22}\n", "over", "in search", "confirmed",
                                  "on unseen configs");
  for (const auto& [name, ratio] : summary.at("in_search").items()) {
    table += fmt::format("{:<22}{:>9.2f}x  {:<22}{:<22}\n", name, ratio.get<double>(),
                         summary_speedup(summary, "confirmed", name),
                         summary_speedup(summary, "unseen", name));
  }
  return table;
}

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

}  // namespace

void EvolutionView::line(const std::string& text) {
  m_line.finish(fmt::format("[{:>4.0f} s] {}", elapsed_seconds(), text));
}

double EvolutionView::elapsed_seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
}

void EvolutionView::progress(const std::string& text) {
  const std::lock_guard lock(m_mutex);
  update(text);
}

void EvolutionView::update(const std::string& text) {
  const double left = std::max(0.0, 60 * m_settings.minutes - elapsed_seconds());
  const std::string money = m_left ? m_left() : "";
  m_line.update(
      fmt::format("generation {}, {} compiled, {} refused, {} accepted; {}; {:.0f} s left; {}"
                  "{}: {}",
                  m_generation, m_compiled, m_refused, m_accepted, m_best, left,
                  money.empty() ? "" : money + "; ", m_trying, text));
}

void EvolutionView::proposal(const nlohmann::json& event) {
  const std::string stage = event.at("stage");
  const std::string outcome = event.at("outcome");
  m_generation = event.at("generation");
  if (stage == "compiled" && outcome.empty()) ++m_compiled;
  if (outcome != "refused") return;
  ++m_refused;
  std::string reason = event.at("reason");
  reason = reason.substr(0, std::min(reason.find('\n'), std::size_t{90}));
  line(fmt::format("{:>4} {:<10} {}: {}", event.at("id").get<std::int64_t>(),
                   event.at("reason_class").get<std::string>(),
                   event.at("strategy").get<std::string>(), reason));
}

void EvolutionView::show(const nlohmann::json& event) {
  const std::lock_guard lock(m_mutex);
  const std::string kind = event.at("event");
  if (kind == "asking") {
    m_trying = event.at("proposer");
    update("asking");
  } else if (kind == "trying") {
    m_trying = event.at("strategy");
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
    ++m_accepted;
    m_best =
        fmt::format("{:.2f}x over the first parent", event.at("over_first_parent").get<double>());
    line(fmt::format("{:>4} {:<10} {}: {} over its parent, {}", event.at("id").get<std::int64_t>(),
                     "ACCEPTED", event.at("strategy").get<std::string>(),
                     with_interval({.against = "parent",
                                    .ratio = event.at("speedup"),
                                    .ci_low = event.at("ci_low"),
                                    .ci_high = event.at("ci_high")}),
                     m_best));
  } else if (kind == "confirming") {
    m_trying = "confirming " + event.at("strategy").get<std::string>();
    line(m_trying);
  }
}

std::string EvolutionView::summary(const RunRow& run) {
  const nlohmann::json& summary = run.summary;
  std::string text =
      fmt::format("\n{} on {}: {} proposals, {} compiled, in {:.0f} s; ended by: {}\n",
                  run.entry.name(), to_string(run.device), summary.value("proposals", 0),
                  summary.value("candidates", 0), summary.value("seconds", 0.0), run.stop_reason);
  const nlohmann::json empty_us = summary.value("empty_us", nlohmann::json::object());
  for (const auto& [config, us] : empty_us.items()) {
    text += fmt::format("  an empty kernel takes {:.2f} us on {}\n", us.get<double>(), config);
  }
  const nlohmann::json refused = summary.value("refused", nlohmann::json::object());
  for (const auto& [reason, count] : refused.items()) {
    text += fmt::format("  {:>4} refused: {}\n", count.get<int>(), reason);
  }
  text += fmt::format("  all of them: rkb archive show {}\n\n", run.id);
  text += summary.value("verifiers_text", "");
  for (const nlohmann::json& report : summary.value("tuning", nlohmann::json::array())) {
    text += tuning_text(report.get<TuningReport>());
  }
  if (run.winner == 0) {
    return text + "Nothing was better than what it began with.\n";
  }
  const std::string outcome = summary.at("outcome");
  text += fmt::format("The winner is proposal {}: {}\n", run.winner,
                      summary.at("strategy").get<std::string>());
  text += table_of(summary);
  text += estimated_text(summary);
  if (run.state != "ended") return text + "It is not confirmed: the run was interrupted.\n";
  if (outcome == "specialised") {
    text +=
        "It is specialised: right on configs that no proposer has seen, but not certainly faster "
        "there, or it refuses them.\n";
  }
  return text + fmt::format("source: {}\nadopt it: rkb archive adopt {}{}\n",
                            summary.at("source").get<std::string>(), run.id,
                            outcome == "specialised" ? " --specialised" : "");
}

}  // namespace robust_kbench
