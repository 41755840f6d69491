#include "agent/evolution_view.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/speedup.hpp"
#include "core/utf8.hpp"
#include "evolve/speedup_text.hpp"
#include "process/escape.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

constexpr std::size_t longest_shown_reason = 90;  // bytes

// A part of a status line.
struct StatusPart {
  std::string text;
  int keep = 0;  // parts with the least are left out first
};

std::string joined(const std::vector<StatusPart>& parts) {
  std::string text;
  for (const StatusPart& part : parts) text += (text.empty() ? "" : "; ") + part.text;
  return text;
}

// Joins the parts by "; " into at most that many bytes. Whole parts are left out until the rest
// fits, and the one that is kept longest stays in any case.
std::string joined_status(std::vector<StatusPart> parts, std::size_t width) {
  std::erase_if(parts, [](const StatusPart& part) { return part.text.empty(); });
  while (parts.size() > 1 && joined(parts).size() > width) {
    parts.erase(std::ranges::min_element(parts, {}, &StatusPart::keep));
  }
  return joined(parts);
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

std::size_t EvolutionView::reached(ProposalStage stage) const {
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
       {.text = fmt::format("{} compiled, {} tested, {} raced", reached(ProposalStage::compiled),
                            reached(ProposalStage::tested), reached(ProposalStage::raced)),
        .keep = 0},
       {.text = fmt::format("{} refused, {} accepted", m_refused, m_accepted), .keep = 3},
       {.text = escaped_line(m_trying), .keep = 4},
       {.text = escaped_line(doing), .keep = 8}},
      width);
}

double EvolutionView::share() const {
  double most = m_line.seconds() / (60 * m_settings.minutes);
  if (m_settings.max_generations > 0) {
    most = std::max(most, static_cast<double>(m_generation) / m_settings.max_generations);
  }
  if (m_settings.max_evaluations > 0) {
    most = std::max(
        most, static_cast<double>(reached(ProposalStage::tested)) / m_settings.max_evaluations);
  }
  return most;
}

void EvolutionView::update(const std::string& doing) {
  m_line.update(status_text(doing, ProgressLine::room()), share());
}

void EvolutionView::proposal(const nlohmann::json& event) {
  const auto stage = parse_proposal_stage(event.at("stage").get<std::string>());
  const auto outcome = parse_proposal_outcome(event.at("outcome").get<std::string>());
  m_generation = event.at("generation");
  const std::int64_t id = event.at("id");
  // A race that was lost is over, too.
  const bool is_refused = outcome == ProposalOutcome::refused;
  if (outcome == ProposalOutcome::open || (stage == ProposalStage::raced && is_refused)) {
    m_reached[stage].insert(id);
  }
  if (!is_refused) return;
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

}  // namespace robust_kbench
