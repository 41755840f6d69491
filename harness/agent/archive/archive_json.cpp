#include "agent/archive/archive_json.hpp"

#include <optional>

#include "archive/best_proposals.hpp"
#include "archive/call_costs.hpp"
#include "archive/lineage.hpp"
#include "archive/row_tables.hpp"
#include "archive/run_overview.hpp"
#include "archive/standing.hpp"
#include "archive/stored_record.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

json number_or_null(const std::optional<double>& number) {
  return number ? json(*number) : json(nullptr);
}

json overview_json(const RunOverview& overview) {
  json run = overview.run;
  run["state"] = to_string(overview.state);
  run["proposals"] = overview.proposals;
  run["accepted"] = overview.accepted;
  run["in_search"] = number_or_null(overview.in_search);
  run["confirmed"] = number_or_null(overview.confirmed);
  return run;
}

json row_with_standing(const RunRow& run, const ProposalRow& proposal,
                       const std::vector<ProposalRow>& proposals) {
  json row = proposal;
  row["standing"] = standing(run, proposal);
  row["over_seed"] = number_or_null(speedup_over_seed(proposals, proposal.id));
  return row;
}

}  // namespace

json runs_json(const Archive& archive) {
  json runs = json::array();
  for (const RunRow& run : archive.runs()) runs.push_back(overview_json(overview_of(archive, run)));
  return {{"runs", runs}};
}

json run_json(const Archive& archive, const std::string& run) {
  const RunRow row = archive.run(run);
  const std::vector<ProposalRow> proposals = archive.proposals(run);
  json rows = json::array();
  for (const ProposalRow& proposal : proposals) {
    rows.push_back(row_with_standing(row, proposal, proposals));
  }
  return {{"run", overview_json(overview_of(archive, row))}, {"proposals", rows}};
}

json proposal_json(const Archive& archive, const std::string& run, std::int64_t id) {
  const RunRow row = archive.run(run);
  const ProposalRow proposal = archive.proposal(run, id);
  const std::vector<ProposalRow> proposals = archive.proposals(run);
  json ancestors = json::array();
  for (const ProposalRow& ancestor : lineage(proposals, id)) {
    ancestors.push_back(row_with_standing(row, ancestor, proposals));
  }
  const std::optional<KernelRecord> record = record_of(archive, proposal);
  return {{"proposal", row_with_standing(row, proposal, proposals)},
          {"lineage", ancestors},
          {"record", record ? json(*record) : json(nullptr)}};
}

json costs_json(const std::vector<CallRow>& calls) {
  json rows = json::array();
  for (const CallCosts& costs : sum_costs(calls)) {
    rows.push_back({{"stage", costs.stage},
                    {"purpose", costs.purpose},
                    {"model", costs.model},
                    {"calls", costs.calls},
                    {"attempts", costs.attempts},
                    {"failed", costs.failed},
                    {"tokens", costs.tokens},
                    {"micro_usd", costs.micro_usd.count},
                    {"is_priced", costs.is_priced},
                    {"is_estimated", costs.is_estimated}});
  }
  return {{"costs", rows}};
}

json best_json(const Archive& archive, const std::string& task) {
  json rows = json::array();
  for (const BestProposal& best : best_proposals(archive, task)) {
    rows.push_back({{"task", best.run.entry.task},
                    {"direction", to_string(best.run.entry.direction)},
                    {"device", to_string(best.run.device)},
                    {"gpu", best.proposal.gpu},
                    {"run", best.run.id},
                    {"proposal", best.proposal.id},
                    {"kernel_us", number_or_null(best.kernel_us)},
                    {"over_seed", number_or_null(best.speedup)},
                    {"standing", standing(best.run, best.proposal)},
                    {"source", archive.content_path(best.proposal.source_hash).string()}});
  }
  return {{"best", rows}};
}

void write_archive_json(const OutputFile& file, const json& content) {
  file.write(content.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
}

}  // namespace robust_kbench
