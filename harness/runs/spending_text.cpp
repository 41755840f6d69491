#include "runs/spending_text.hpp"

#include <fmt/format.h>

namespace robust_kbench {

std::string spending_text(const CallTotals& spent, const Budget& left) {
  const bool is_priced = spent.tokens == 0 || spent.micro_usd > MicroDollars{};
  return fmt::format("{}, {} tokens, {} calls so far; {}",
                     is_priced ? to_text(spent.micro_usd) : "no price", spent.tokens, spent.calls,
                     to_text(left));
}

}  // namespace robust_kbench
