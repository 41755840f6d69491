#include "archive/call_costs.hpp"

#include <map>
#include <set>
#include <tuple>

namespace robust_kbench {

std::vector<CallCosts> sum_costs(const std::vector<CallRow>& calls) {
  using Key = std::tuple<std::string, std::string, std::string>;
  std::map<Key, CallCosts> sums;
  std::map<Key, std::set<std::string>> questions;
  for (const CallRow& row : calls) {
    const Key key{row.identity.stage, row.identity.purpose, row.identity.model};
    CallCosts& costs = sums[key];
    std::tie(costs.stage, costs.purpose, costs.model) = key;
    questions[key].insert(row.identity.run + "\n" + row.identity.call);
    const bool is_open = row.state == CallState::reserved;
    const bool was_granted = row.state != CallState::not_granted && row.state != CallState::unpaid;
    const std::optional<MicroDollars> amount = is_open ? row.reserved : row.charged;
    if (was_granted) ++costs.attempts;
    if (was_granted && !is_open && row.status != "ok") ++costs.failed;
    costs.tokens += is_open ? row.reserved_tokens : row.charged_tokens;
    costs.micro_usd = costs.micro_usd + amount.value_or(MicroDollars{});
    if (was_granted && !amount) costs.is_priced = false;
    if (row.state == CallState::estimated || row.state == CallState::unknown) {
      costs.is_estimated = true;
    }
  }
  std::vector<CallCosts> rows;
  for (auto& [key, costs] : sums) {
    costs.calls = static_cast<std::int64_t>(questions[key].size());
    rows.push_back(std::move(costs));
  }
  return rows;
}

}  // namespace robust_kbench
