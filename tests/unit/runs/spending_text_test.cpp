#include "runs/spending_text.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(SpendingText, SaysWhatWasSpentAndWhatIsLeftOfEachLimit) {
  const CallTotals spent{.micro_usd = {120'000}, .tokens = 3400, .calls = 3};
  EXPECT_EQ(spending_text(spent, {.micro_usd = MicroDollars{1'880'000}, .tokens = {}, .calls = 17}),
            "$0.12, 3400 tokens, 3 calls so far; $1.88, 17 calls left");
}

TEST(SpendingText, TakesNoPriceForNoCost) {
  const CallTotals spent{.micro_usd = {}, .tokens = 3400, .calls = 3};
  EXPECT_EQ(spending_text(spent, {.micro_usd = {}, .tokens = 600, .calls = {}}),
            "no price, 3400 tokens, 3 calls so far; 600 tokens left");
  EXPECT_EQ(spending_text({}, {.micro_usd = {}, .tokens = 600, .calls = {}}),
            "$0.00, 0 tokens, 0 calls so far; 600 tokens left");
}

}  // namespace
}  // namespace robust_kbench
