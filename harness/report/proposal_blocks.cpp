#include "report/proposal_blocks.hpp"

#include <map>
#include <optional>
#include <vector>

#include "core/speedup.hpp"
#include "report/page_blocks.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

nlohmann::json ratio_or_null(const std::optional<double>& ratio) {
  return ratio ? ratio_cell(*ratio) : nlohmann::json();
}

TableBlock proposal_table(const ShownEvolution& shown) {
  TableBlock table({"proposal", "parent", "generation", "proposer", "strategy", "stage", "outcome",
                    "over parent", "95 % interval", "over the start", "evaluated, s", "tokens",
                    "dollars", "reason"});
  for (const ShownProposal& p : shown.proposals) {
    const bool has_interval = p.ci_low && p.ci_high;
    table.add({link_cell(std::to_string(p.id), proposal_target(p.id)),
               p.parent == 0 ? nlohmann::json() : count_cell(p.parent), count_cell(p.generation),
               p.proposer, p.strategy, p.stage, verdict_cell(p.standing, p.outcome),
               ratio_or_null(p.speedup),
               has_interval ? interval_cell({*p.ci_low, *p.ci_high}) : nlohmann::json(),
               p.outcome == "refused" ? nlohmann::json() : ratio_or_null(p.over_seed),
               number_cell(p.evaluation_seconds, fmt::format("{:.1f}", p.evaluation_seconds)),
               count_cell(p.tokens), number_cell(p.dollars, fmt::format("{:.4f}", p.dollars)),
               p.reason_class.empty() ? p.reason : p.reason_class + ": " + p.reason});
  }
  return table;
}

using Children = std::map<std::int64_t, std::vector<const ShownProposal*>>;

std::string gain_text(const ShownProposal& p) {
  std::string text = p.strategy;
  if (p.ci_low && p.ci_high) {
    text += "\nover its parent: " + interval_text({*p.ci_low, *p.ci_high});
  }
  if (p.over_seed) text += "\nover the start: " + ratio_text(*p.over_seed);
  return text;
}

// A parent is older than its children, so there is no cycle.
nlohmann::json node_of(const ShownProposal& p, const Children& children, std::int64_t winner) {
  nlohmann::json nodes = nlohmann::json::array();
  int refused = 0;
  if (const auto found = children.find(p.id); found != children.end()) {
    for (const ShownProposal* child : found->second) {
      if (child->outcome == "refused") {
        ++refused;
      } else if (child->id > p.id) {
        nodes.push_back(node_of(*child, children, winner));
      }
    }
  }
  std::string name = std::to_string(p.id);
  if (p.outcome == "seed" && !p.strategy.empty()) name += ": " + p.strategy;
  if (p.speedup) name += ": " + ratio_text(*p.speedup);
  if (p.id == winner) name += ", the winner";
  std::string more = gain_text(p);
  if (refused > 0) more += fmt::format("\nchildren refused: {}", refused);
  return {{"name", name},
          {"more", more},
          {"verdict", p.outcome},
          {"to", proposal_target(p.id)},
          {"children", std::move(nodes)}};
}

}  // namespace

std::string proposal_target(std::int64_t id) {
  return "proposal-" + std::to_string(id);
}

nlohmann::json proposal_blocks(const ShownEvolution& shown) {
  if (shown.proposals.empty()) return nlohmann::json::array();
  Children children;
  for (const ShownProposal& p : shown.proposals) children[p.parent].push_back(&p);
  nlohmann::json roots = nlohmann::json::array();
  for (const ShownProposal* seed : children[0]) {
    if (seed->outcome != "refused") roots.push_back(node_of(*seed, children, shown.winner));
  }
  nlohmann::json root{{"name", "start"},
                      {"more", ""},
                      {"verdict", "seed"},
                      {"to", ""},
                      {"children", std::move(roots)}};
  return nlohmann::json::array(
      {text_block(
           "Left are the kernels with which the run began. Each accepted proposal is drawn "
           "with its speed-up over its parent. The table has those that were refused, too. A "
           "click opens the code.",
           "note"),
       chart_block({{"type", "tree"}, {"root", std::move(root)}}, proposal_table(shown))});
}

}  // namespace robust_kbench
