#include "evolve/run_summary.hpp"

#include <algorithm>

#include "evolve/confirmation.hpp"
#include "evolve/evaluation.hpp"
#include "evolve/starts.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

void count_proposals(const RunFindings& findings, nlohmann::json& summary) {
  std::map<std::string, int> refused;
  int proposals = 0;
  for (const auto& [id, row] : findings.rows) {
    if (row.proposer == "seed") continue;
    ++proposals;
    if (row.outcome == ProposalOutcome::refused) ++refused[row.reason_class];
  }
  summary["refused"] = refused;
  summary["proposals"] = proposals;
}

void describe_winner(const Candidate& winner, const RunFindings& findings,
                     nlohmann::json& summary) {
  nlohmann::json in_search{{parent_rival, 1 / winner.cost}};
  for (const Candidate& start : findings.right_starts) {
    if (start.id == findings.lineage.front()->id) continue;
    in_search.emplace(rival_name(start, findings.plain), start.cost / winner.cost);
  }
  if (summary.contains("eager_cost")) {
    in_search["eager"] = summary["eager_cost"].get<double>() / winner.cost;
  }
  summary["in_search"] = in_search;
  summary["outcome"] = to_string(findings.rows.at(winner.id).outcome);
  summary["strategy"] = winner.name;
  summary["source"] = winner.kernel.sources.front();
}

}  // namespace

std::string rival_name(const Candidate& start, const std::string& plain) {
  return start.name == plain ? "plain" : "registered";
}

const Candidate* fastest_registered(const std::vector<Candidate>& right_starts,
                                    const std::string& plain) {
  const auto found = std::ranges::find_if(right_starts, [&](const Candidate& start) {
    return rival_name(start, plain) == "registered" && start.name != translated_start;
  });
  return found == right_starts.end() ? nullptr : &*found;
}

void summarise(RunRow& run, const RunFindings& findings) {
  nlohmann::json& summary = run.summary;
  count_proposals(findings, summary);
  summary["candidates"] = findings.spent.evaluations;
  summary["seconds"] = findings.spent.seconds;
  summary["seconds_to_come"] = findings.spent.to_come;
  summary["decided"] = findings.rate.decided();
  if (const auto rate = findings.rate.per_minute()) summary["decided_per_minute"] = *rate;
  if (const auto first = findings.rate.first_decided()) summary["first_decided_s"] = *first;
  summary["tuning"] = tuning_reports(findings.settings);
  if (!findings.audit.empty()) {
    summary["verifiers"] = findings.audit.json();
    summary["verifiers_text"] = findings.audit.text();
  }
  run.winner = 0;
  if (findings.lineage.size() <= 1) return;
  const Candidate& winner = *findings.lineage.back();
  run.winner = winner.id;
  // The figures may be those of a kernel that was confirmed before the winner, which has beaten it
  // since.
  if (findings.confirmed != winner.id) {
    for (const char* figure : confirmed_figures) summary.erase(figure);
  }
  describe_winner(winner, findings, summary);
}

}  // namespace robust_kbench
