#include "archive/rows_json.hpp"

#include "core/json_fields.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

void to_json(nlohmann::json& json, const RunRow& run) {
  json = {{"id", run.id},
          {"task", run.entry.task},
          {"direction", to_string(run.entry.direction)},
          {"device", to_string(run.device)},
          {"seed", run.seed},
          {"settings", run.settings},
          {"state", run.state},
          {"stop_reason", run.stop_reason},
          {"winner", run.winner},
          {"summary", run.summary},
          {"started_at", run.started_at},
          {"ended_at", run.ended_at}};
}

void to_json(nlohmann::json& json, const ProposalRow& proposal) {
  json = {{"run", proposal.run},
          {"id", proposal.id},
          {"generation", proposal.generation},
          {"sample", proposal.sample},
          {"stage", proposal.stage},
          {"outcome", proposal.outcome},
          {"reason", proposal.reason},
          {"reason_class", proposal.reason_class},
          {"parents", proposal.parents},
          {"proposer", proposal.proposer},
          {"strategy", proposal.strategy},
          {"source_hash", proposal.source_hash},
          {"token_hash", proposal.token_hash},
          {"object_hash", proposal.object_hash},
          {"settings", proposal.settings},
          {"seconds", proposal.seconds},
          {"speedup", value_or_null(proposal.speedup)},
          {"ci_low", value_or_null(proposal.ci_low)},
          {"ci_high", value_or_null(proposal.ci_high)},
          {"device", proposal.device},
          {"gpu", proposal.gpu},
          {"toolkit", proposal.toolkit},
          {"record_hash", proposal.record_hash},
          {"created_at", proposal.created_at}};
}

}  // namespace robust_kbench
