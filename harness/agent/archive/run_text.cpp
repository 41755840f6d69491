#include "agent/archive/run_text.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "agent/archive/archive_text.hpp"
#include "agent/speedup_table.hpp"
#include "archive/lineage.hpp"
#include "archive/run_overview.hpp"
#include "archive/standing.hpp"
#include "process/escape.hpp"
#include "report/table.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

std::string heading(const RunOverview& overview, const std::vector<ProposalRow>& proposals) {
  const RunRow& run = overview.run;
  std::string text = fmt::format("{}: {}", run.id, to_string(overview.state));
  if (!run.stop_reason.empty()) text += fmt::format(" ({})", escaped(run.stop_reason));
  text += fmt::format(", seed {}, started {}", run.seed, run.started_at);
  if (!run.ended_at.empty()) text += fmt::format(", ended {}", run.ended_at);
  text += "\n";
  if (run.winner == 0) return text;
  const auto winner = std::ranges::find(proposals, run.winner, &ProposalRow::id);
  if (winner == proposals.end() || winner->parents.empty()) {
    return text + fmt::format("winner: proposal {}\n", run.winner);
  }
  return text + fmt::format("winner: proposal {} ({}), {} over its seed in search\n{}", run.winner,
                            standing(run, *winner),
                            speedup_text(speedup_over_seed(proposals, run.winner)),
                            escaped(speedup_table(run.summary)));
}

Table table_of(const RunRow& run, const std::vector<ProposalRow>& proposals) {
  Table table({"id", "generation", "parents", "proposer", "strategy", "stage", "outcome",
               "speed-up", "interval", "reason"});
  for (const ProposalRow& proposal : proposals) {
    table.add({std::to_string(proposal.id), std::to_string(proposal.generation),
               parents_text(proposal), cell_of(proposal.proposer),
               text_or_dash(cell_of(proposal.strategy)), std::string(to_string(proposal.stage)),
               standing(run, proposal), speedup_text(proposal.speedup), interval_text(proposal),
               text_or_dash(cell_of(proposal.reason))});
  }
  return table;
}

// Returns "refused: 5 slower, 2 compile_error", with the most frequent reason first.
std::string refusals_text(const std::vector<ProposalRow>& proposals) {
  std::map<std::string, int> counts;
  for (const ProposalRow& proposal : proposals) {
    if (proposal.outcome == ProposalOutcome::refused) ++counts[proposal.reason_class];
  }
  if (counts.empty()) return "";
  std::vector<std::pair<std::string, int>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::greater<>(), [](const auto& row) { return row.second; });
  std::string text;
  for (const auto& [reason, count] : sorted) {
    text += fmt::format("{} {} {}", text.empty() ? "refused:" : ",", count, cell_of(reason));
  }
  return text + "\n";
}

}  // namespace

std::string run_text(const Archive& archive, const std::string& run) {
  const std::vector<ProposalRow> proposals = archive.proposals(run);
  const RunOverview overview = overview_of(archive, archive.run(run));
  return heading(overview, proposals) + "\n" + table_of(overview.run, proposals).console() + "\n" +
         refusals_text(proposals);
}

}  // namespace robust_kbench
