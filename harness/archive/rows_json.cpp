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

void to_json(nlohmann::json& json, const CallRow& call) {
  const CallIdentity& identity = call.identity;
  const auto count = [](std::optional<MicroDollars> amount) {
    return amount ? nlohmann::json(amount->count) : nlohmann::json(nullptr);
  };
  const auto tokens = [&](std::int64_t TokenUsage::*member) {
    return call.usage ? nlohmann::json((*call.usage).*member) : nlohmann::json(nullptr);
  };
  json = {{"run", identity.run},
          {"call", identity.call},
          {"attempt", call.attempt},
          {"request_hash", identity.request_hash},
          {"stage", identity.stage},
          {"purpose", identity.purpose},
          {"proposal", identity.proposal},
          {"model", identity.model},
          {"host", call.host},
          {"state", to_string(call.state)},
          {"status", call.status},
          {"reserved_micro_usd", count(call.reserved)},
          {"charged_micro_usd", count(call.charged)},
          {"reserved_tokens", call.reserved_tokens},
          {"charged_tokens", call.charged_tokens},
          {"input_tokens", tokens(&TokenUsage::input)},
          {"cached_input_tokens", tokens(&TokenUsage::cached_input)},
          {"output_tokens", tokens(&TokenUsage::output)},
          {"reasoning_tokens", tokens(&TokenUsage::reasoning)},
          {"seconds", call.seconds},
          {"message", call.message},
          {"started_at", call.started_at},
          {"ended_at", call.ended_at}};
}

}  // namespace robust_kbench
