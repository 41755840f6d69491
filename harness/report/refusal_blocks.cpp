#include "report/refusal_blocks.hpp"

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "core/utf8.hpp"
#include "report/page_blocks.hpp"
#include "report/proposal_blocks.hpp"

namespace robust_kbench {
namespace {

// Says what a class of reasons means. Empty where its name says it.
std::string meaning_of_refusal(const std::string& reason_class) {
  static const std::map<std::string, std::string> meanings{
      {"duplicate", "the same was tried before"},
      {"frozen", "it changes what it must leave as it is"},
      {"malformed", "it is no kernel's source"},
      {"no_gain", "it is not certainly faster than its parent"},
      {"no_source", "the proposer gave no kernel"},
      {"slower", "it is certainly slower than its parent"},
      {"outranked", "verifiers preferred others of its generation, so it was not tested"},
      {"voted_out", "verifiers voted against it, so it was not tested"},
      {"time_limit", "the run's time was over"},
      {"compile_error", "it does not compile"},
      {"wrong_result", "its outputs are wrong"},
      {"nondeterministic", "its outputs differ from call to call"},
  };
  const auto found = meanings.find(reason_class);
  return found == meanings.end() ? "" : found->second;
}

// A reason on one line. The whole of it stands beside the candidate's code.
std::string short_reason(const std::string& reason) {
  constexpr std::size_t most_bytes = 160;
  std::istringstream words(reason);
  std::string text;
  for (std::string word; text.size() <= most_bytes && words >> word;) {
    text += (text.empty() ? "" : " ") + word;
  }
  return text.size() <= most_bytes ? text : std::string(utf8_prefix(text, most_bytes)) + " ...";
}

}  // namespace

nlohmann::json refusal_blocks(const ShownEvolution& shown) {
  TableBlock table({"proposal", "what it was", "refused", "why", "proposer"});
  for (const ShownProposal& p : shown.proposals) {
    if (p.outcome != "refused") continue;
    const std::string meaning = meaning_of_refusal(p.reason_class);
    const std::string reason = short_reason(p.reason);
    table.add({link_cell(std::to_string(p.id), proposal_target(p.id)), p.strategy,
               verdict_cell(p.reason_class, p.outcome),
               meaning + (meaning.empty() || reason.empty() ? "" : ": ") + reason, p.proposer});
  }
  if (table.empty()) return nlohmann::json::array();
  return nlohmann::json::array(
      {text_block("A speed-up below 1x is a slow-down. A click on a number opens the code and the "
                  "whole reason.",
                  "note"),
       table.json()});
}

nlohmann::json proposer_blocks(const ShownEvolution& shown) {
  std::map<std::pair<std::string, std::string>, int> counts;
  std::set<std::string> proposers;
  std::set<std::string> results;
  for (const ShownProposal& p : shown.proposals) {
    if (p.outcome == "seed") continue;
    const std::string result = p.outcome == "refused" ? p.reason_class : p.outcome;
    ++counts[{p.proposer, result}];
    proposers.insert(p.proposer);
    results.insert(result);
  }
  if (counts.empty()) return nlohmann::json::array();
  TableBlock table({"proposer", "result", "proposals"});
  for (const auto& [key, count] : counts) table.add({key.first, key.second, count_cell(count)});
  nlohmann::json series = nlohmann::json::array();
  for (const std::string& result : results) {
    nlohmann::json values = nlohmann::json::array();
    for (const std::string& proposer : proposers) {
      const auto found = counts.find({proposer, result});
      values.push_back(found == counts.end() ? 0 : found->second);
    }
    series.push_back({{"name", result}, {"verdict", result}, {"values", std::move(values)}});
  }
  return nlohmann::json::array({chart_block({{"type", "bars"},
                                             {"stacked", true},
                                             {"axis", {{"name", "proposals"}}},
                                             {"categories", proposers},
                                             {"series", std::move(series)}},
                                            table)});
}

}  // namespace robust_kbench
