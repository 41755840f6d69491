#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "archive/database.hpp"
#include "archive/micro_dollars.hpp"

// Sums over the table `calls`. All functions throw as Database does.
namespace robust_kbench {

// Totals of calls.
struct CallTotals {
  MicroDollars micro_usd;   // charged, or reserved for open attempts
  std::int64_t tokens = 0;  // charged, or reserved for open attempts
  std::int64_t calls = 0;   // granted attempts that were sent to a provider
};

// 1 for the first attempt of a call.
int next_attempt(const Database& database, const std::string& run, const std::string& call);

CallTotals sum_calls(const Database& database, const std::vector<std::string>& runs);

}  // namespace robust_kbench
