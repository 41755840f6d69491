#include "core/seed.hpp"

#include <set>

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(Seed, KeysDifferByTheirPurposeAndNumber) {
  const std::set<std::uint64_t> keys{derived_key(1, "one"),     derived_key(1, "two"),
                                     derived_key(1, "one", 1),  derived_key(2, "one"),
                                     tensor_key("one", "x", 1), tensor_key("one", "y", 1)};
  EXPECT_EQ(keys.size(), 6U);
}

TEST(Seed, AKeyIsTheSameOnEveryMachine) {
  EXPECT_EQ(tensor_key("layernorm", "x", 1), 10438234123655237317U);
}

}  // namespace
}  // namespace robust_kbench
