#include "llm/mark_secret.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(MarkSecret, HasSixtyFourDigitsThatDiffer) {
  const std::string secret = new_mark_secret();
  EXPECT_EQ(secret.size(), 64);
  EXPECT_EQ(secret.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_NE(secret, new_mark_secret());
}

}  // namespace
}  // namespace robust_kbench
