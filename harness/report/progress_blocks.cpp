#include "report/progress_blocks.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/speedup.hpp"
#include "report/page_blocks.hpp"
#include "report/proposal_blocks.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// A proposal that was the fastest when it came, and what had been spent until then.
struct Step {
  const ShownProposal* proposal;
  double best = 1;
  double spent = 0;
};

// What a run spends: dollars where models have prices, else tokens, else time of evaluation.
struct Currency {
  const char* name;
  double (*of)(const ShownProposal&);
};

Currency currency_of(const ShownEvolution& shown) {
  if (std::ranges::any_of(shown.proposals, [](const auto& p) { return p.dollars > 0; })) {
    return {"dollars", [](const ShownProposal& p) { return p.dollars; }};
  }
  if (std::ranges::any_of(shown.proposals, [](const auto& p) { return p.tokens > 0; })) {
    return {"tokens", [](const ShownProposal& p) { return static_cast<double>(p.tokens); }};
  }
  return {"seconds of evaluation", [](const ShownProposal& p) { return p.evaluation_seconds; }};
}

std::vector<Step> steps_of(const ShownEvolution& shown, const Currency& currency) {
  std::vector<Step> steps;
  double spent = 0;
  double best = 1;
  for (const ShownProposal& proposal : shown.proposals) {
    spent += currency.of(proposal);
    if (!proposal.is_accepted || !proposal.over_seed || *proposal.over_seed <= best) continue;
    best = *proposal.over_seed;
    steps.push_back({.proposal = &proposal, .best = best, .spent = spent});
  }
  return steps;
}

using Position = double (*)(const Step&);

nlohmann::json progress_chart(const std::vector<Step>& steps, const std::string& x_name,
                              Position at, double end, bool has_ended) {
  const auto point = [](double x, double y, const std::string& name) {
    return nlohmann::json::array({x, y, nullptr, nullptr, name});
  };
  nlohmann::json points = nlohmann::json::array({point(0, 1, "the start")});
  for (const Step& step : steps) {
    points.push_back(
        point(at(step), step.best,
              fmt::format("proposal {}: {}", step.proposal->id, step.proposal->strategy)));
  }
  points.push_back(point(end, points.back()[1].get<double>(), has_ended ? "the end" : "until now"));
  return {{"type", "lines"},
          {"step", true},
          {"x", {{"name", x_name}}},
          {"y", {{"name", "speed-up over the start"}}},
          {"series", nlohmann::json::array(
                         {{{"name", "best speed-up over the start"}, {"points", points}}})}};
}

}  // namespace

nlohmann::json progress_blocks(const ShownEvolution& shown) {
  if (shown.proposals.empty()) return nlohmann::json::array();
  const Currency currency = currency_of(shown);
  const std::vector<Step> steps = steps_of(shown, currency);
  TableBlock table(
      {"proposal", "minutes", currency.name, "best over the start", "proposer", "strategy"});
  for (const Step& step : steps) {
    table.add({link_cell(std::to_string(step.proposal->id), proposal_target(step.proposal->id)),
               number_cell(step.proposal->minutes, fmt::format("{:.2f}", step.proposal->minutes)),
               number_cell(step.spent, fmt::format("{:.4g}", step.spent)), ratio_cell(step.best),
               step.proposal->proposer, step.proposal->strategy});
  }
  const bool has_ended = shown.state == "ended";
  double minutes = shown.minutes;
  double spent = 0;
  for (const ShownProposal& proposal : shown.proposals) {
    minutes = std::max(minutes, proposal.minutes);
    spent += currency.of(proposal);
  }
  return nlohmann::json::array(
      {text_block(
           "A speed-up over the start is the product of those over each parent. The winner's "
           "own was measured anew, and stands above.",
           "note"),
       chart_block(progress_chart(
                       steps, "minutes since the start",
                       [](const Step& step) { return step.proposal->minutes; }, minutes, has_ended),
                   table),
       chart_block(
           progress_chart(
               steps, currency.name, [](const Step& step) { return step.spent; }, spent, has_ended),
           table)});
}

}  // namespace robust_kbench
