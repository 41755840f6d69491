#pragma once

#include <string>
#include <vector>

#include "archive/call_row.hpp"

namespace robust_kbench {

// The total cost of the calls of one stage, purpose and model.
struct CallCosts {
  std::string stage;
  std::string purpose;
  std::string model;
  std::int64_t calls = 0;     // different questions
  std::int64_t attempts = 0;  // granted attempts
  std::int64_t failed = 0;    // granted attempts that ended without status `ok`
  std::int64_t tokens = 0;    // charged; those reserved for open attempts
  MicroDollars micro_usd;     // charged, or reserved for open attempts
  bool is_priced = true;      // false: some of its attempts have no price
  bool is_estimated = false;  // some were charged their reservation

  friend bool operator==(const CallCosts&, const CallCosts&) = default;
};

// One row for each stage, purpose and model, sorted by these.
std::vector<CallCosts> sum_costs(const std::vector<CallRow>& calls);

}  // namespace robust_kbench
