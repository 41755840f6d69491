#include "archive/call_table.hpp"

namespace robust_kbench {
namespace {

// An archive may be foreign, and a negative charge would raise the cap.
CallTotals sum_of_run(const Database& database, const std::string& run) {
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

}  // namespace

int next_attempt(const Database& database, const std::string& run, const std::string& call) {
  Statement last =
      database.prepare("SELECT coalesce(max(attempt), 0) FROM calls WHERE run = ? AND call = ?");
  last.bind(run, call).step();
  return static_cast<int>(last.integer(0)) + 1;
}

CallTotals sum_calls(const Database& database, const std::vector<std::string>& runs) {
  CallTotals totals;
  for (const std::string& run : runs) {
    const CallTotals sum = sum_of_run(database, run);
    totals.micro_usd = totals.micro_usd + sum.micro_usd;
    totals.tokens += sum.tokens;
    totals.calls += sum.calls;
  }
  return totals;
}

}  // namespace robust_kbench
