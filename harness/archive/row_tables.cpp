#include "archive/row_tables.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

template <typename Member>
Column<CallRow> identity(std::string name, Member CallIdentity::*member) {
  Column<CallIdentity> of_identity = column(name, member);
  return {.name = std::move(name),
          .kind = of_identity.kind,
          .get = [of_identity](const CallRow& row) { return of_identity.get(row.identity); },
          .set = [of_identity](CallRow& row,
                               const json& cell) { of_identity.set(row.identity, cell); }};
}

Column<CallRow> amount(std::string name, std::optional<MicroDollars> CallRow::*member) {
  return {.name = std::move(name),
          .kind = CellKind::integer,
          .may_be_null = true,
          .get = [member](const CallRow& row) -> json {
            return row.*member ? json((row.*member)->count) : json(nullptr);
          },
          .set =
              [member](CallRow& row, const json& cell) {
                if (!cell.is_null()) row.*member = MicroDollars{cell.get<std::int64_t>()};
              }};
}

Column<CallRow> tokens(std::string name, std::int64_t TokenUsage::*member) {
  return {.name = std::move(name),
          .kind = CellKind::integer,
          .may_be_null = true,
          .get = [member](const CallRow& row) -> json {
            return row.usage ? json((*row.usage).*member) : json(nullptr);
          },
          .set =
              [member](CallRow& row, const json& cell) {
                if (cell.is_null()) return;
                if (!row.usage) row.usage.emplace();
                (*row.usage).*member = cell.get<std::int64_t>();
              }};
}

}  // namespace

const RowTable<RunRow>& runs_table() {
  static const RowTable<RunRow> table{
      .name = "runs",
      .key = "id",
      .is_numbered = true,
      .columns = {
          column("id", &RunRow::id),
          {.name = "task",
           .get = [](const RunRow& run) { return json(run.entry.task); },
           .set = [](RunRow& run, const json& cell) { cell.get_to(run.entry.task); }},
          {.name = "direction",
           .get = [](const RunRow& run) { return json(to_string(run.entry.direction)); },
           .set =
               [](RunRow& run, const json& cell) {
                 run.entry.direction = parse_direction(cell.get<std::string>());
               }},
          column("device", &RunRow::device, parse_device),
          // SQLite's integers are signed.
          {.name = "seed",
           .kind = CellKind::json,
           .get = [](const RunRow& run) { return json(run.seed); },
           .set = [](RunRow& run, const json& cell) { cell.get_to(run.seed); }},
          column("settings", &RunRow::settings),
          column("state", &RunRow::state, parse_run_state),
          column("stop_reason", &RunRow::stop_reason),
          column("winner", &RunRow::winner),
          column("summary", &RunRow::summary),
          column("started_at", &RunRow::started_at),
          column("ended_at", &RunRow::ended_at),
      }};
  return table;
}

const RowTable<ProposalRow>& proposals_table() {
  static const RowTable<ProposalRow> table{
      .name = "proposals",
      .key = "run, id",
      .columns = {
          column("run", &ProposalRow::run),
          column("id", &ProposalRow::id),
          column("generation", &ProposalRow::generation),
          column("sample", &ProposalRow::sample),
          column("stage", &ProposalRow::stage, parse_proposal_stage),
          column("outcome", &ProposalRow::outcome, parse_proposal_outcome),
          column("reason", &ProposalRow::reason),
          column("reason_class", &ProposalRow::reason_class),
          column("parents", &ProposalRow::parents),
          column("proposer", &ProposalRow::proposer),
          column("strategy", &ProposalRow::strategy),
          column("source_hash", &ProposalRow::source_hash),
          column("token_hash", &ProposalRow::token_hash),
          column("object_hash", &ProposalRow::object_hash),
          column("settings", &ProposalRow::settings),
          column("seconds", &ProposalRow::seconds),
          column("speedup", &ProposalRow::speedup),
          column("ci_low", &ProposalRow::ci_low),
          column("ci_high", &ProposalRow::ci_high),
          column("device", &ProposalRow::device),
          column("gpu", &ProposalRow::gpu),
          column("toolkit", &ProposalRow::toolkit),
          column("record_hash", &ProposalRow::record_hash),
          column("created_at", &ProposalRow::created_at),
      }};
  return table;
}

const RowTable<CallRow>& calls_table() {
  static const RowTable<CallRow> table{.name = "calls",
                                       .key = "run, call, attempt",
                                       .is_numbered = true,
                                       .columns = {
                                           identity("run", &CallIdentity::run),
                                           identity("call", &CallIdentity::call),
                                           column("attempt", &CallRow::attempt),
                                           identity("request_hash", &CallIdentity::request_hash),
                                           identity("stage", &CallIdentity::stage),
                                           identity("purpose", &CallIdentity::purpose),
                                           identity("proposal", &CallIdentity::proposal),
                                           identity("model", &CallIdentity::model),
                                           column("host", &CallRow::host),
                                           column("state", &CallRow::state, parse_call_state),
                                           column("status", &CallRow::status),
                                           amount("reserved_micro_usd", &CallRow::reserved),
                                           amount("charged_micro_usd", &CallRow::charged),
                                           column("reserved_tokens", &CallRow::reserved_tokens),
                                           column("charged_tokens", &CallRow::charged_tokens),
                                           tokens("input_tokens", &TokenUsage::input),
                                           tokens("cached_input_tokens", &TokenUsage::cached_input),
                                           tokens("output_tokens", &TokenUsage::output),
                                           tokens("reasoning_tokens", &TokenUsage::reasoning),
                                           column("seconds", &CallRow::seconds),
                                           column("message", &CallRow::message),
                                           column("started_at", &CallRow::started_at),
                                           column("ended_at", &CallRow::ended_at),
                                       }};
  return table;
}

void to_json(json& json, const RunRow& run) {
  json = row_json(runs_table(), run);
}

void to_json(json& json, const ProposalRow& proposal) {
  json = row_json(proposals_table(), proposal);
}

void to_json(json& json, const CallRow& call) {
  json = row_json(calls_table(), call);
}

}  // namespace robust_kbench
