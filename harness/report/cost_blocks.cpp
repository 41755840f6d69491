#include "report/cost_blocks.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "report/page_blocks.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

using Count = std::pair<const char*, int ShownVerifier::*>;
constexpr std::array<Count, 6> verifier_counts{{
    {"errors found", &ShownVerifier::found},
    {"errors overlooked", &ShownVerifier::overlooked},
    {"right ones let through", &ShownVerifier::let_through},
    {"false alarms", &ShownVerifier::false_alarms},
    {"abstained on wrong ones", &ShownVerifier::abstained_wrong},
    {"abstained on right ones", &ShownVerifier::abstained_right},
}};

nlohmann::json bars(const std::string& axis, nlohmann::json categories, nlohmann::json series) {
  return {{"type", "bars"},
          {"stacked", true},
          {"axis", {{"name", axis}}},
          {"categories", std::move(categories)},
          {"series", std::move(series)}};
}

std::string name_of_costs(const ShownCosts& costs) {
  return costs.stage + (costs.purpose.empty() ? "" : " " + costs.purpose) + ", " + costs.model;
}

}  // namespace

nlohmann::json verifier_blocks(const ShownEvolution& shown) {
  if (shown.verifiers.empty()) return nlohmann::json::array();
  nlohmann::json names = nlohmann::json::array();
  TableBlock table({"verifier", "errors found", "errors overlooked", "right ones let through",
                    "false alarms", "abstained on wrong ones", "abstained on right ones",
                    "accuracy", "precision", "recall"});
  for (const ShownVerifier& verifier : shown.verifiers) {
    names.push_back(verifier.name);
    std::vector<nlohmann::json> row{verifier.name};
    for (const auto& [name, count] : verifier_counts) row.push_back(count_cell(verifier.*count));
    row.emplace_back(verifier.accuracy);
    row.emplace_back(verifier.precision);
    row.emplace_back(verifier.recall);
    table.add(std::move(row));
  }
  nlohmann::json series = nlohmann::json::array();
  for (const auto& [name, count] : verifier_counts) {
    nlohmann::json values = nlohmann::json::array();
    for (const ShownVerifier& verifier : shown.verifiers) values.push_back(verifier.*count);
    series.push_back({{"name", name}, {"values", std::move(values)}});
  }
  return nlohmann::json::array(
      {text_block(
           "Votes are held against what the compiler, the sanitizer and the tests found. "
           "An error overlooked is a wrong kernel that was called right, and a false alarm is "
           "a right one that was called wrong.",
           "note"),
       chart_block(bars("kernels", std::move(names), std::move(series)), table)});
}

TotalCosts total_costs(const ShownEvolution& shown) {
  TotalCosts total;
  for (const ShownCosts& costs : shown.costs) {
    total.tokens += costs.tokens;
    total.dollars += costs.dollars.value_or(0);
  }
  return total;
}

nlohmann::json cost_blocks(const ShownEvolution& shown) {
  if (shown.costs.empty()) return nlohmann::json::array();
  nlohmann::json names = nlohmann::json::array();
  nlohmann::json tokens = nlohmann::json::array();
  nlohmann::json dollars = nlohmann::json::array();
  TableBlock table(
      {"stage", "purpose", "model", "calls", "attempts", "failed", "tokens", "dollars"});
  for (const ShownCosts& costs : shown.costs) {
    names.push_back(name_of_costs(costs));
    tokens.push_back(costs.tokens);
    dollars.push_back(costs.dollars.value_or(0));
    table.add({costs.stage, costs.purpose, costs.model, count_cell(costs.calls),
               count_cell(costs.attempts), count_cell(costs.failed), count_cell(costs.tokens),
               costs.dollars ? number_cell(*costs.dollars, fmt::format("{:.4f}", *costs.dollars))
                             : nlohmann::json("no price")});
  }
  const TotalCosts total = total_costs(shown);
  nlohmann::json blocks = nlohmann::json::array(
      {text_block(fmt::format("In all {} tokens and ${:.4f}.", total.tokens, total.dollars)),
       chart_block(
           bars("tokens", names, nlohmann::json::array({{{"name", "tokens"}, {"values", tokens}}})),
           table)});
  if (total.dollars > 0) {
    blocks.push_back(chart_block(
        bars("dollars", names, nlohmann::json::array({{{"name", "dollars"}, {"values", dollars}}})),
        table));
  }
  return blocks;
}

}  // namespace robust_kbench
