#pragma once

#include <cstdint>
#include <string>

#include "archive/database.hpp"
#include "archive/micro_dollars.hpp"

// Sums over the table `calls`. All throw as Database does.
namespace robust_kbench {

// What calls come to.
struct CallTotals {
  MicroDollars micro_usd;   // charged; of an open attempt reserved
  std::int64_t tokens = 0;  // the same
  std::int64_t calls = 0;   // attempts with leave, without those that were sent to nobody
};

// 1 for the first attempt of a call.
int next_attempt(const Database& database, const std::string& run, const std::string& call);

CallTotals sum_calls(const Database& database, const std::string& run);

}  // namespace robust_kbench
