#include "report/evolution_page.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/counted.hpp"
#include "core/speedup.hpp"
#include "report/candidate_blocks.hpp"
#include "report/cost_blocks.hpp"
#include "report/page_blocks.hpp"
#include "report/progress_blocks.hpp"
#include "report/proposal_blocks.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

std::string state_text(const ShownEvolution& shown) {
  const auto accepted =
      static_cast<std::size_t>(std::ranges::count_if(shown.proposals, &ShownProposal::is_accepted));
  std::string text =
      fmt::format("{} on {}: {} of {} accepted; the run is {}", shown.entry, shown.device, accepted,
                  counted(shown.proposals.size(), "proposal"), shown.state);
  if (!shown.stop_reason.empty()) text += fmt::format(" ({})", shown.stop_reason);
  text += fmt::format(". It began {}", shown.started);
  return text + (shown.ended.empty() ? "." : fmt::format(" and ended {}.", shown.ended));
}

std::string winner_text(const ShownEvolution& shown) {
  const auto winner = std::ranges::find(shown.proposals, shown.winner, &ShownProposal::id);
  if (winner == shown.proposals.end()) {
    return shown.state == "ended" ? "Nothing was better than what it began with."
                                  : "There is no winner yet.";
  }
  std::string text = fmt::format("The winner is proposal {} ({})", winner->id, winner->standing);
  if (winner->over_seed) text += fmt::format(", {} over its seed", ratio_text(*winner->over_seed));
  return text + fmt::format(": {}, by {}.", winner->strategy, winner->proposer);
}

nlohmann::json winner_blocks(const ShownEvolution& shown) {
  TableBlock table({"over", "in search", "confirmed", "on unseen configs"});
  for (const ShownSpeedup& speedup : shown.speedups) {
    table.add({speedup.over, speedup.in_search, speedup.confirmed, speedup.unseen});
  }
  if (table.empty()) return nlohmann::json::array();
  return nlohmann::json::array(
      {text_block("Speed-ups with 95 % intervals. A confirmation times the winner anew, with "
                  "fresh workers.",
                  "note"),
       table.json()});
}

}  // namespace

nlohmann::json evolution_page(const ShownEvolution& shown) {
  nlohmann::json sections = nlohmann::json::array();
  const auto add = [&](const char* id, const char* title, const nlohmann::json& blocks) {
    if (!blocks.empty()) sections.push_back(page_section(id, title, blocks));
  };
  PageTexts texts;
  add("winner", "The winner's speed-ups", winner_blocks(shown));
  add("progress", "Best so far", progress_blocks(shown));
  add("tree", "Parents and gains", proposal_blocks(shown));
  add("code", "Code of a candidate", candidate_blocks(shown, texts));
  add("refusals", "Proposals by proposer", refusal_blocks(shown));
  add("verifiers", "Verifiers", verifier_blocks(shown));
  add("costs", "Tokens and dollars", cost_blocks(shown));
  return {{"title", "Evolution " + shown.run},
          {"summary", {text_block(winner_text(shown), "headline"), text_block(state_text(shown))}},
          {"sections", std::move(sections)},
          {"texts", texts.all()}};
}

}  // namespace robust_kbench
