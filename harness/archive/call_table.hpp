#pragma once

#include <optional>
#include <string>
#include <vector>

#include "archive/call_row.hpp"
#include "archive/database.hpp"

// Rows of the table `calls`. All throw as Database does.
namespace robust_kbench {

// What calls come to.
struct CallTotals {
  MicroDollars micro_usd;   // charged; of an open attempt reserved
  std::int64_t tokens = 0;  // the same
  std::int64_t calls = 0;   // attempts with leave, without those that were sent to nobody
};

// 1 for the first attempt of a call.
int next_attempt(const Database& database, const std::string& run, const std::string& call);

// Inserts or replaces by run, call and attempt.
void write_call(const Database& database, const CallRow& row);
std::optional<CallRow> read_call(const Database& database, const std::string& run,
                                 const std::string& call, int attempt);
std::vector<CallRow> read_calls(const Database& database,
                                const std::string& run);  // as they began
CallTotals sum_calls(const Database& database, const std::string& run);

}  // namespace robust_kbench
