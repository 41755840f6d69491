#include "agent/archive/costs_text.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "archive/call_costs.hpp"
#include "process/escape.hpp"
#include "report/table.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// Says "about" where an attempt without a usage was charged its reservation.
std::string amount_text(MicroDollars amount, bool is_priced, bool is_estimated) {
  if (!is_priced && amount == MicroDollars{}) return "no price";
  return (is_estimated ? "about " : "") + to_text(amount) + (is_priced ? "" : " and no price");
}

std::int64_t proposals_of(const std::vector<CallRow>& calls, std::set<std::string> stages) {
  std::set<std::pair<std::string, std::int64_t>> proposals;
  for (const CallRow& call : calls) {
    if (call.state == CallState::not_granted || !stages.contains(call.identity.stage)) continue;
    proposals.emplace(call.identity.run, call.identity.proposal);
  }
  return static_cast<std::int64_t>(proposals.size());
}

// Counts the proposals that models have made, or the attempts to translate where there is no other.
std::int64_t proposals_of(const std::vector<CallRow>& calls) {
  const std::int64_t proposed = proposals_of(calls, {"propose", "repair"});
  return proposed > 0 ? proposed : proposals_of(calls, {"translate"});
}

// Tells of attempts that cost more than their reservation, also of those after which nothing was
// left to stop.
std::string overrun_text(const std::vector<CallRow>& calls) {
  const auto count = std::ranges::count(calls, CallState::overrun, &CallRow::state);
  if (count == 0) return "";
  return fmt::format("{} attempt{} cost more than had been reserved; look at the endpoint's bill\n",
                     count, count == 1 ? "" : "s");
}

std::string total_text(const std::vector<CallCosts>& rows, const std::vector<CallRow>& calls) {
  MicroDollars total;
  std::int64_t tokens = 0;
  bool is_priced = true;
  bool is_estimated = false;
  for (const CallCosts& costs : rows) {
    total = total + costs.micro_usd;
    tokens += costs.tokens;
    is_priced = is_priced && costs.is_priced;
    is_estimated = is_estimated || costs.is_estimated;
  }
  std::string text =
      fmt::format("total: {}, {} tokens", amount_text(total, is_priced, is_estimated), tokens);
  if (const std::int64_t count = proposals_of(calls); count > 0) {
    text += fmt::format("; {} for each of {} proposals", to_text(MicroDollars{total.count / count}),
                        count);
  }
  return text + "\n";
}

// A line for each model that was asked and never answered, with its last error. An attempt that was
// never sent counts for nothing.
std::string last_errors(const std::vector<CallRow>& calls) {
  const std::set<std::string> unsent{"", "not_granted", "circuit_open", "interrupted", "unknown"};
  std::map<std::string, std::string> errors;  // by model
  std::set<std::string> answered;
  for (const CallRow& row : calls) {
    if (row.status == "ok") answered.insert(row.identity.model);
    if (row.status == "ok" || unsent.contains(row.status)) continue;
    errors[row.identity.model] = fmt::format("{}: {}", row.status, row.message);
  }
  std::string text;
  for (const auto& [model, error] : errors) {
    if (answered.contains(model)) continue;
    text += fmt::format("{} never answered; its last error: {}\n", model, escaped_line(error));
  }
  return text;
}

}  // namespace

std::string costs_text(const std::vector<CallRow>& calls) {
  const std::vector<CallCosts> rows = sum_costs(calls);
  if (rows.empty()) return "";
  Table table({"stage", "purpose", "model", "calls", "attempts", "failed", "tokens", "cost"});
  for (const CallCosts& costs : rows) {
    table.add({costs.stage, costs.purpose.empty() ? "-" : costs.purpose, costs.model,
               std::to_string(costs.calls), std::to_string(costs.attempts),
               std::to_string(costs.failed), std::to_string(costs.tokens),
               amount_text(costs.micro_usd, costs.is_priced, costs.is_estimated)});
  }
  return table.console() + total_text(rows, calls) + overrun_text(calls) + last_errors(calls);
}

}  // namespace robust_kbench
