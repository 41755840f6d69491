#pragma once

#include <string>

#include "archive/call_table.hpp"
#include "llm/ledger.hpp"

namespace robust_kbench {

// Describes to a person what language models have cost a command, and what is left of its cap.
// "$0.12, 3400 tokens, 3 calls so far; $1.88 left". Tokens that cost nothing have no price.
std::string spending_text(const CallTotals& spent, const Budget& left);

}  // namespace robust_kbench
