#include "cli/archive/costs_text.hpp"

#include <set>

#include "archive/call_costs.hpp"
#include "report/table.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// "about" where a part was charged its reservation, for want of a usage.
std::string amount_text(MicroDollars amount, bool is_priced, bool is_estimated) {
  if (!is_priced && amount == MicroDollars{}) return "no price";
  return (is_estimated ? "about " : "") + to_text(amount) + (is_priced ? "" : " and no price");
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
  std::set<std::pair<std::string, std::int64_t>> proposals;
  for (const CallRow& call : calls) {
    const bool was_made = call.state != CallState::not_granted;
    if (was_made && call.identity.proposal != 0)
      proposals.emplace(call.identity.run, call.identity.proposal);
  }
  std::string text =
      fmt::format("total: {}, {} tokens", amount_text(total, is_priced, is_estimated), tokens);
  if (!proposals.empty()) {
    const auto count = static_cast<std::int64_t>(proposals.size());
    text += fmt::format("; {} for each of {} proposals", to_text({total.count / count}), count);
  }
  return text + "\n";
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
  return table.console() + total_text(rows, calls);
}

}  // namespace robust_kbench
