#pragma once

#include <string>

#include "archive/call_table.hpp"
#include "llm/ledger.hpp"

namespace robust_kbench {

// What language models have cost a command so far, and what is left of its cap, for a person.
// Tokens that cost nothing have no price. "$0.12, 3400 tokens, 3 calls so far; $1.88 left".
std::string spending_text(const CallTotals& spent, const Budget& left);

}  // namespace robust_kbench
