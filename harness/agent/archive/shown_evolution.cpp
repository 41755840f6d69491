#include "agent/archive/shown_evolution.hpp"

#include <map>
#include <optional>

#include "archive/call_costs.hpp"
#include "archive/dataset_row.hpp"
#include "archive/lineage.hpp"
#include "archive/run_overview.hpp"
#include "archive/standing.hpp"
#include "archive/stored_record.hpp"
#include "archive/timestamp.hpp"
#include "core/counted.hpp"
#include "core/speedup.hpp"
#include "evolve/speedup_text.hpp"
#include "runs/model_run.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

constexpr double seconds_per_minute = 60;
constexpr double micro_per_dollar = 1e6;

// Tokens and dollars of all calls about one proposal.
struct ProposalSpending {
  std::int64_t tokens = 0;
  double dollars = 0;
};

std::map<std::int64_t, ProposalSpending> spent_by_proposal(const std::vector<CallRow>& calls,
                                                           const std::string& run) {
  std::map<std::int64_t, ProposalSpending> spent;
  for (const CallRow& call : calls) {
    if (call.identity.run != run) continue;
    ProposalSpending& one = spent[call.identity.proposal];
    one.tokens += call.charged_tokens;
    if (call.charged) one.dollars += static_cast<double>(call.charged->count) / micro_per_dollar;
  }
  return spent;
}

double evaluation_seconds(const ProposalRow& proposal) {
  double sum = 0;
  for (const auto& [stage, seconds] : proposal.seconds) sum += seconds;
  return sum;
}

ShownProposal shown(const Archive& archive, const RunRow& run, const ProposalRow& proposal,
                    const Scrubber& scrubber) {
  std::string outcome(to_string(proposal.outcome));
  ShownProposal made{
      .id = proposal.id,
      .parent = proposal.parents.empty() ? 0 : proposal.parents.front(),
      .generation = proposal.generation,
      .proposer = proposal.proposer,
      .strategy = proposal.strategy,
      .stage = std::string(to_string(proposal.stage)),
      .outcome = outcome.empty() ? "open" : outcome,
      .standing = standing(run, proposal),
      .reason_class = proposal.reason_class,
      .reason = proposal.reason,
      .speedup = proposal.speedup,
      .ci_low = proposal.ci_low,
      .ci_high = proposal.ci_high,
      .is_accepted = is_accepted(proposal),
      .minutes = seconds_between(run.started_at, proposal.created_at) / seconds_per_minute,
      .evaluation_seconds = evaluation_seconds(proposal)};
  if (has_source(proposal)) {
    made.source = scrubber.scrubbed(std::string_view(archive.content(proposal.source_hash)));
  }
  return made;
}

// A summary's `name` of an opponent, in words that need no document.
std::string opponent_in_words(const std::string& name) {
  if (name == "eager") return "torch's eager mode";
  if (name == "registered") return "the fastest kernel that was registered before";
  if (name == "plain") return "the task's plain kernel";
  return name;
}

std::string result_of_confirmation(const nlohmann::json& summary, const std::string& name) {
  const nlohmann::json confirmed = summary.value("confirmed", nlohmann::json::object());
  const auto found = confirmed.find(name);
  if (found == confirmed.end()) return "-";
  if (found->at("ci_low").get<double>() > 1) return "faster";
  return found->at("ci_high").get<double>() < 1 ? "slower" : "not told apart";
}

// Fills in the winner's speed-ups over each kernel that it was raced against.
void add_speedups(const RunRow& run, ShownEvolution& made) {
  const std::string start = "parent";  // of the whole lineage
  const nlohmann::json in_search = run.summary.value("in_search", nlohmann::json::object());
  for (const auto& [name, ratio] : in_search.items()) {
    ShownSpeedup speedup{.over = opponent_in_words(name),
                         .in_search = ratio_text(ratio.get<double>()),
                         .confirmed = summary_speedup(run.summary, "confirmed", name),
                         .unseen = summary_speedup(run.summary, "unseen", name),
                         .result = result_of_confirmation(run.summary, name)};
    if (name == start) {
      made.over_start = std::move(speedup);
    } else {
      made.speedups.push_back(std::move(speedup));
    }
  }
}

// The name of the kernel with which the winner's lineage began.
std::string start_of_winner(const std::vector<ProposalRow>& proposals, std::int64_t winner) {
  if (winner == 0) return "";
  return lineage(proposals, winner).back().strategy;
}

std::string share_text(const nlohmann::json& share) {
  if (share.at("share").is_null()) return "-";
  return fmt::format("{:.2f} ({:.2f}..{:.2f})", share.at("share").get<double>(),
                     share.at("ci_low").get<double>(), share.at("ci_high").get<double>());
}

std::vector<ShownVerifier> verifiers_of(const nlohmann::json& summary) {
  std::vector<ShownVerifier> verifiers;
  const nlohmann::json all = summary.value("verifiers", nlohmann::json::object());
  for (const auto& [name, audit] : all.items()) {
    const nlohmann::json& matrix = audit.at("matrix");
    verifiers.push_back({.name = name,
                         .found = matrix.at("found"),
                         .overlooked = matrix.at("overlooked"),
                         .false_alarms = matrix.at("false_alarms"),
                         .let_through = matrix.at("let_through"),
                         .abstained_wrong = matrix.at("abstained_wrong"),
                         .abstained_right = matrix.at("abstained_right"),
                         .accuracy = share_text(matrix.at("accuracy")),
                         .precision = share_text(matrix.at("precision")),
                         .recall = share_text(matrix.at("recall"))});
  }
  return verifiers;
}

std::vector<ShownCosts> costs_of(const std::vector<CallRow>& calls) {
  std::vector<ShownCosts> costs;
  for (const CallCosts& row : sum_costs(calls)) {
    ShownCosts& one = costs.emplace_back(ShownCosts{.stage = row.stage,
                                                    .purpose = row.purpose,
                                                    .model = row.model,
                                                    .calls = row.calls,
                                                    .attempts = row.attempts,
                                                    .failed = row.failed,
                                                    .tokens = row.tokens});
    if (row.is_priced) one.dollars = static_cast<double>(row.micro_usd.count) / micro_per_dollar;
  }
  return costs;
}

// The machine of the latest record, in words.
std::string machine_of(const Archive& archive, const std::vector<ProposalRow>& proposals) {
  for (auto proposal = proposals.rbegin(); proposal != proposals.rend(); ++proposal) {
    const std::optional<KernelRecord> record = record_of(archive, *proposal);
    if (!record || !record->machine) continue;
    const MachineRecord& machine = *record->machine;
    return fmt::format("{}{} with {}, torch {}", record->gpu.empty() ? "" : record->gpu + " and ",
                       machine.cpu, counted(static_cast<std::size_t>(machine.cpus), "processor"),
                       machine.torch);
  }
  return "";
}

}  // namespace

ShownEvolution shown_evolution(const Archive& archive, const std::string& run,
                               const Scrubber& scrubber) {
  const RunOverview overview = overview_of(archive, archive.run(run));
  const RunRow& row = overview.run;
  const std::vector<CallRow> calls = calls_of(archive, run);
  const std::map<std::int64_t, ProposalSpending> spent = spent_by_proposal(calls, run);
  const std::vector<ProposalRow> proposals = archive.proposals(run);
  ShownEvolution made{.run = row.id,
                      .entry = row.entry.name(),
                      .device = std::string(to_string(row.device)),
                      .state = std::string(to_string(overview.state)),
                      .stop_reason = row.stop_reason,
                      .started = row.started_at,
                      .ended = row.ended_at,
                      .machine = machine_of(archive, proposals),
                      .winner = row.winner,
                      .over_start = {},
                      .speedups = {},
                      .proposals = {},
                      .verifiers = verifiers_of(row.summary),
                      .costs = costs_of(calls)};
  if (!row.ended_at.empty()) {
    made.minutes = seconds_between(row.started_at, row.ended_at) / seconds_per_minute;
  }
  add_speedups(row, made);
  made.over_start.over = start_of_winner(proposals, row.winner);
  for (const ProposalRow& proposal : proposals) {
    ShownProposal& one = made.proposals.emplace_back(shown(archive, row, proposal, scrubber));
    one.over_seed = speedup_over_seed(proposals, proposal.id);
    if (const auto found = spent.find(proposal.id); found != spent.end()) {
      one.tokens = found->second.tokens;
      one.dollars = found->second.dollars;
    }
  }
  return made;
}

}  // namespace robust_kbench
