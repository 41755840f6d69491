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
#include "report/refusal_blocks.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

std::size_t count_of(const ShownEvolution& shown, const char* outcome) {
  return static_cast<std::size_t>(
      std::ranges::count(shown.proposals, outcome, &ShownProposal::outcome));
}

// A time of an archive, to the minute.
std::string minute_of(const std::string& time) {
  constexpr std::size_t date = 10;    // "2026-11-25"
  constexpr std::size_t minute = 16;  // "2026-11-25T13:02"
  if (time.size() < minute) return time;
  return time.substr(0, date) + " at " + time.substr(date + 1, minute - date - 1) + " UTC";
}

std::string cost_text(const ShownEvolution& shown) {
  if (shown.costs.empty()) return " No model was asked.";
  const TotalCosts total = total_costs(shown);
  return fmt::format(" Models took {} tokens and ${:.4f}.", total.tokens, total.dollars);
}

std::string state_text(const ShownEvolution& shown) {
  const auto accepted =
      static_cast<std::size_t>(std::ranges::count_if(shown.proposals, &ShownProposal::is_accepted));
  const std::size_t seeds = count_of(shown, "seed");
  std::string text = fmt::format(
      "The run looked for a faster {} on {}. It began with {} on {}, and tried {}: {} accepted, {} "
      "refused.",
      shown.entry, shown.device, counted(seeds, "kernel"), minute_of(shown.started),
      counted(shown.proposals.size() - seeds, "proposal"), accepted, count_of(shown, "refused"));
  if (shown.state != "ended") {
    return text + (shown.state == "running" ? " It goes on." : " It was interrupted.");
  }
  text += fmt::format(" It ended after {:.1f} minutes", shown.minutes);
  text += shown.stop_reason.empty() ? "." : ", by its limit: " + shown.stop_reason + ".";
  return text + cost_text(shown);
}

std::string machine_text(const ShownEvolution& shown) {
  const std::string judged =
      "Accepted proposals passed all tests against a float64 reference, and are certainly faster "
      "than their parents.";
  return shown.machine.empty() ? judged : judged + " They were measured on " + shown.machine + ".";
}

// What a reader who thinks of adopting the winner has to know.
std::string doubts_text(const ShownEvolution& shown) {
  std::string text;
  for (const ShownSpeedup& speedup : shown.speedups) {
    if (speedup.result != "not told apart" && speedup.result != "slower") continue;
    text += fmt::format(" It is {} {}: {}.",
                        speedup.result == "slower" ? "slower than" : "not certainly faster than",
                        speedup.over, speedup.confirmed);
  }
  return text;
}

std::string confidence_text(const ShownEvolution& shown, const ShownProposal& winner) {
  const ShownSpeedup& gain = shown.over_start;
  if (!gain.confirmed.empty() && gain.confirmed != "-") {
    return fmt::format(
        "it is {} as fast as {}, with which the run began. That was measured anew "
        "to confirm it, with a 95 % interval in brackets",
        gain.confirmed, gain.over);
  }
  if (!winner.over_seed) return "it has no speed-up yet";
  return fmt::format(
      "it was {} as fast as {}, with which the run began. That has not been "
      "confirmed by another measurement",
      ratio_text(*winner.over_seed), gain.over.empty() ? "the kernel" : gain.over);
}

std::string winner_text(const ShownEvolution& shown) {
  const auto winner = std::ranges::find(shown.proposals, shown.winner, &ShownProposal::id);
  if (winner == shown.proposals.end()) {
    return shown.state == "ended" ? "Nothing was better than what the run began with."
                                  : "There is no winner yet.";
  }
  std::string text =
      fmt::format("Proposal {} won: {}. ", winner->id, confidence_text(shown, *winner));
  if (winner->standing.ends_with("specialised")) {
    text +=
        "It is specialised: on shapes that the search has not seen it is not certainly faster. ";
  }
  return text + fmt::format("It is \"{}\", proposed by {}.", winner->strategy, winner->proposer) +
         doubts_text(shown);
}

// The page does not name the archive's directory, which a page for others keeps to itself.
nlohmann::json command_blocks(const ShownEvolution& shown) {
  nlohmann::json blocks = nlohmann::json::array(
      {text_block("DIRECTORY is that of the archive, by default evolution/ in the build.", "note"),
       text_block("All proposals, and one with its record and its replay commands:"),
       command_block("rkb archive show " + shown.run + " --archive DIRECTORY")});
  if (shown.winner != 0) {
    blocks.push_back(command_block(
        fmt::format("rkb archive show {} {} --archive DIRECTORY", shown.run, shown.winner)));
  }
  blocks.push_back(text_block("The same run again from its recorded answers and evaluations:"));
  blocks.push_back(command_block("rkb evolve --replay DIRECTORY:" + shown.run));
  return blocks;
}

nlohmann::json winner_blocks(const ShownEvolution& shown) {
  TableBlock table(
      {"compared with", "measured anew", "result", "in the search", "on unseen shapes"});
  const auto add = [&](const ShownSpeedup& speedup) {
    table.add({speedup.over, speedup.confirmed, speedup.result, speedup.in_search, speedup.unseen});
  };
  if (!shown.over_start.in_search.empty()) add(shown.over_start);
  for (const ShownSpeedup& speedup : shown.speedups) add(speedup);
  if (table.empty()) return nlohmann::json::array();
  return nlohmann::json::array(
      {text_block("2.00x means that the winner is twice as fast. In brackets are 95 % intervals. "
                  "The result is that of the new measurement: an interval with 1 in it tells "
                  "neither from the other. Unseen shapes are those that the search did not use.",
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
  add("refusals", "Refused proposals, and why", refusal_blocks(shown));
  add("proposers", "Proposals by proposer", proposer_blocks(shown));
  add("verifiers", "Verifiers", verifier_blocks(shown));
  add("costs", "Tokens and dollars", cost_blocks(shown));
  add("code", "Code of a candidate", candidate_blocks(shown, texts));
  add("repeat", "Look further, or repeat it", command_blocks(shown));
  return {{"title", "Evolution " + shown.run},
          {"summary",
           {text_block(winner_text(shown), "headline"), text_block(state_text(shown)),
            text_block(machine_text(shown))}},
          {"sections", std::move(sections)},
          {"texts", texts.all()}};
}

}  // namespace robust_kbench
