#include "archive/proposal_table.hpp"

#include "core/parse_json.hpp"

namespace robust_kbench {
namespace {

using nlohmann::json;

const std::string proposal_columns =
    "run, id, generation, sample, stage, outcome, reason, reason_class, parents, proposer, "
    "strategy, source_hash, token_hash, object_hash, settings, seconds, speedup, ci_low, ci_high, "
    "device, gpu, toolkit, record_hash, created_at";

ProposalRow proposal_of(const Statement& row) {
  int column = 0;
  ProposalRow proposal;
  proposal.run = row.text(column++);
  proposal.id = row.integer(column++);
  proposal.generation = static_cast<int>(row.integer(column++));
  proposal.sample = static_cast<int>(row.integer(column++));
  proposal.stage = row.text(column++);
  proposal.outcome = row.text(column++);
  proposal.reason = row.text(column++);
  proposal.reason_class = row.text(column++);
  proposal.parents = parse_json(row.text(column++)).get<std::vector<std::int64_t>>();
  proposal.proposer = row.text(column++);
  proposal.strategy = row.text(column++);
  proposal.source_hash = row.text(column++);
  proposal.token_hash = row.text(column++);
  proposal.object_hash = row.text(column++);
  proposal.settings = parse_json(row.text(column++));
  proposal.seconds = parse_json(row.text(column++)).get<std::map<std::string, double>>();
  proposal.speedup = row.real(column++);
  proposal.ci_low = row.real(column++);
  proposal.ci_high = row.real(column++);
  proposal.device = row.text(column++);
  proposal.gpu = row.text(column++);
  proposal.toolkit = row.text(column++);
  proposal.record_hash = row.text(column++);
  proposal.created_at = row.text(column++);
  return proposal;
}

}  // namespace

void write_proposal(const Database& database, const ProposalRow& proposal) {
  database
      .prepare("INSERT OR REPLACE INTO proposals(" + proposal_columns +
               ") VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .bind(proposal.run, proposal.id, std::int64_t{proposal.generation},
            std::int64_t{proposal.sample}, proposal.stage, proposal.outcome, proposal.reason,
            proposal.reason_class, json(proposal.parents).dump(), proposal.proposer,
            proposal.strategy, proposal.source_hash, proposal.token_hash, proposal.object_hash,
            proposal.settings.dump(), json(proposal.seconds).dump(), proposal.speedup,
            proposal.ci_low, proposal.ci_high, proposal.device, proposal.gpu, proposal.toolkit,
            proposal.record_hash, proposal.created_at)
      .step();
}

std::optional<ProposalRow> read_proposal(const Database& database, const std::string& run,
                                         std::int64_t id) {
  Statement row =
      database.prepare("SELECT " + proposal_columns + " FROM proposals WHERE run = ? AND id = ?");
  if (!row.bind(run, id).step()) return std::nullopt;
  return proposal_of(row);
}

std::vector<ProposalRow> read_proposals(const Database& database, const std::string& run) {
  Statement row =
      database.prepare("SELECT " + proposal_columns + " FROM proposals WHERE run = ? ORDER BY id");
  row.bind(run);
  std::vector<ProposalRow> proposals;
  while (row.step()) proposals.push_back(proposal_of(row));
  return proposals;
}

}  // namespace robust_kbench
