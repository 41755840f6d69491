#include "report/candidate_blocks.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/speedup.hpp"
#include "report/proposal_blocks.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

std::string candidate_name(const ShownProposal& p) {
  std::string name = fmt::format("{}: {}", p.id, p.standing);
  if (p.outcome == "refused" && !p.reason_class.empty()) name += ", " + p.reason_class;
  if (p.speedup) name += ", " + ratio_text(*p.speedup) + " over its parent";
  return p.strategy.empty() ? name : name + ", " + p.strategy;
}

nlohmann::json blocks_of_candidate(const ShownProposal& p, const ShownEvolution& shown,
                                   PageTexts& texts) {
  nlohmann::json blocks = nlohmann::json::array();
  if (!p.reason.empty()) blocks.push_back(output_block(p.reason));
  const auto parent = std::ranges::find(shown.proposals, p.parent, &ShownProposal::id);
  if (p.source.empty()) {
    blocks.push_back(text_block("It has no source.", "note"));
    return blocks;
  }
  if (parent != shown.proposals.end() && !parent->source.empty()) {
    blocks.push_back(heading_block(fmt::format("What it changes in proposal {}", parent->id)));
    blocks.push_back(texts.diff_block(parent->source, p.source));
  }
  blocks.push_back(
      fold_block("Its whole source", nlohmann::json::array({texts.code_block(p.source)})));
  return blocks;
}

}  // namespace

nlohmann::json candidate_blocks(const ShownEvolution& shown, PageTexts& texts) {
  std::vector<ChoiceItem> items;
  for (const ShownProposal& p : shown.proposals) {
    items.push_back({.name = candidate_name(p),
                     .target = proposal_target(p.id),
                     .blocks = blocks_of_candidate(p, shown, texts)});
  }
  if (items.empty()) return nlohmann::json::array();
  const auto winner = std::ranges::find(shown.proposals, shown.winner, &ShownProposal::id);
  const auto first = winner == shown.proposals.end() ? 0 : winner - shown.proposals.begin();
  return nlohmann::json::array({choice_block("Candidate", items, static_cast<std::size_t>(first))});
}

}  // namespace robust_kbench
