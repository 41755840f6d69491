#include "archive/call_table.hpp"

namespace robust_kbench {
namespace {

constexpr const char* call_columns =
    "run, call, attempt, request_hash, stage, purpose, proposal, model, host, state, status, "
    "reserved_micro_usd, charged_micro_usd, reserved_tokens, charged_tokens, input_tokens, "
    "cached_input_tokens, output_tokens, reasoning_tokens, seconds, message, started_at, ended_at";

// Integers of any size that is used here are exact as doubles, and the call_columns keep them as
// integers.
std::optional<double> cell(std::optional<MicroDollars> amount) {
  if (!amount) return std::nullopt;
  return static_cast<double>(amount->count);
}

std::optional<double> cell(const std::optional<TokenUsage>& usage,
                           std::int64_t TokenUsage::*member) {
  if (!usage) return std::nullopt;
  return static_cast<double>((*usage).*member);
}

std::optional<MicroDollars> amount(const Statement& row, int column) {
  if (!row.real(column)) return std::nullopt;
  return MicroDollars{row.integer(column)};
}

std::optional<TokenUsage> usage(const Statement& row, int column) {
  if (!row.real(column)) return std::nullopt;
  return TokenUsage{.input = row.integer(column),
                    .cached_input = row.integer(column + 1),
                    .output = row.integer(column + 2),
                    .reasoning = row.integer(column + 3)};
}

CallRow call_of(const Statement& row) {
  constexpr int usage_columns = 4;
  int column = 0;
  CallRow call;
  call.identity.run = row.text(column++);
  call.identity.call = row.text(column++);
  call.attempt = static_cast<int>(row.integer(column++));
  call.identity.request_hash = row.text(column++);
  call.identity.stage = row.text(column++);
  call.identity.purpose = row.text(column++);
  call.identity.proposal = row.integer(column++);
  call.identity.model = row.text(column++);
  call.host = row.text(column++);
  call.state = parse_call_state(row.text(column++));
  call.status = row.text(column++);
  call.reserved = amount(row, column++);
  call.charged = amount(row, column++);
  call.reserved_tokens = row.integer(column++);
  call.charged_tokens = row.integer(column++);
  call.usage = usage(row, column);
  column += usage_columns;
  call.seconds = row.real(column++).value_or(0);
  call.message = row.text(column++);
  call.started_at = row.text(column++);
  call.ended_at = row.text(column++);
  return call;
}

}  // namespace

int next_attempt(const Database& database, const std::string& run, const std::string& call) {
  Statement last =
      database.prepare("SELECT coalesce(max(attempt), 0) FROM calls WHERE run = ? AND call = ?");
  last.bind(run, call).step();
  return static_cast<int>(last.integer(0)) + 1;
}

void write_call(const Database& database, const CallRow& row) {
  const CallIdentity& identity = row.identity;
  const auto seconds = std::optional(row.seconds);
  database
      .prepare("INSERT INTO calls(" + std::string(call_columns) +
               ") VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
               "ON CONFLICT(run, call, attempt) DO UPDATE SET state = excluded.state, "
               "status = excluded.status, charged_micro_usd = excluded.charged_micro_usd, "
               "charged_tokens = excluded.charged_tokens, input_tokens = excluded.input_tokens, "
               "cached_input_tokens = excluded.cached_input_tokens, "
               "output_tokens = excluded.output_tokens, "
               "reasoning_tokens = excluded.reasoning_tokens, seconds = excluded.seconds, "
               "message = excluded.message, ended_at = excluded.ended_at")
      .bind(identity.run, identity.call, row.attempt, identity.request_hash, identity.stage,
            identity.purpose, identity.proposal, identity.model, row.host, to_string(row.state),
            row.status, cell(row.reserved), cell(row.charged), row.reserved_tokens,
            row.charged_tokens, cell(row.usage, &TokenUsage::input),
            cell(row.usage, &TokenUsage::cached_input), cell(row.usage, &TokenUsage::output),
            cell(row.usage, &TokenUsage::reasoning), seconds, row.message, row.started_at,
            row.ended_at)
      .step();
}

std::optional<CallRow> read_call(const Database& database, const std::string& run,
                                 const std::string& call, int attempt) {
  Statement row = database.prepare("SELECT " + std::string(call_columns) +
                                   " FROM calls WHERE run = ? AND call = ? AND attempt = ?");
  if (!row.bind(run, call, attempt).step()) return std::nullopt;
  return call_of(row);
}

std::vector<CallRow> read_calls(const Database& database, const std::string& run) {
  Statement row = database.prepare("SELECT " + std::string(call_columns) +
                                   " FROM calls WHERE run = ? ORDER BY number");
  row.bind(run);
  std::vector<CallRow> calls;
  while (row.step()) calls.push_back(call_of(row));
  return calls;
}

// An archive may come from anybody, and a negative charge would raise the cap.
CallTotals sum_calls(const Database& database, const std::string& run) {
  Statement sum = database.prepare(
      "SELECT coalesce(sum(max(CASE state WHEN 'reserved' THEN reserved_micro_usd "
      "ELSE charged_micro_usd END, 0)), 0), "
      "coalesce(sum(max(CASE state WHEN 'reserved' THEN reserved_tokens ELSE charged_tokens END, "
      "0)), 0), "
      "count(*) FILTER (WHERE state NOT IN ('not_granted', 'unpaid') "
      "AND status <> 'circuit_open') "
      "FROM calls WHERE run = ?");
  sum.bind(run).step();
  return {.micro_usd = {sum.integer(0)}, .tokens = sum.integer(1), .calls = sum.integer(2)};
}

}  // namespace robust_kbench
