#include "archive/micro_dollars.hpp"

#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

std::int64_t parsed(const std::string& text) {
  return parse_dollars(text, "--max-usd").count;
}

TEST(MicroDollars, AreParsedExactly) {
  EXPECT_EQ(parsed("2"), 2'000'000);
  EXPECT_EQ(parsed("2.5"), 2'500'000);
  EXPECT_EQ(parsed("0.1"), 100'000);
  EXPECT_EQ(parsed("0.000001"), 1);
  EXPECT_EQ(parsed("1000000"), most_micro_dollars.count);
}

TEST(MicroDollars, RefuseTextThatIsNoAmount) {
  for (const char* text : {"", ".", "2.", ".5", "-1", "+1", "1e3", "$2", "2,5", "0.0000001", "1 ",
                           "1000000.000001", "99999999999999999999"}) {
    EXPECT_THROW((void)parsed(text), UserError) << text;
  }
}

TEST(MicroDollars, ArePrintedWithTwoDecimalsAtLeast) {
  EXPECT_EQ(to_text(MicroDollars{2'500'000}), "$2.50");
  EXPECT_EQ(to_text(MicroDollars{125}), "$0.000125");
  EXPECT_EQ(to_text(MicroDollars{0}), "$0.00");
  EXPECT_EQ(to_text(MicroDollars{-1'230'000}), "-$1.23");
}

}  // namespace
}  // namespace robust_kbench
