#include "llm/key_guard.hpp"

#include <memory>
#include <sys/prctl.h>

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(KeyGuard, HidesMemoryAndEndsWithoutKeys) {
  ASSERT_EQ(prctl(PR_GET_DUMPABLE), 1);
  std::map<std::string, std::string> keys;
  {
    const KeyGuard guard(keys);
    EXPECT_EQ(prctl(PR_GET_DUMPABLE), 0);
    keys["A"] = "planted-key";
  }
  EXPECT_TRUE(keys.empty());
  EXPECT_EQ(prctl(PR_GET_DUMPABLE), 1);
}

TEST(KeyGuard, LastsUntilTheLastOfThem) {
  std::map<std::string, std::string> keys;
  auto first = std::make_unique<KeyGuard>(keys);
  auto second = std::make_unique<KeyGuard>(keys);
  first.reset();
  EXPECT_EQ(prctl(PR_GET_DUMPABLE), 0);
  second.reset();
  EXPECT_EQ(prctl(PR_GET_DUMPABLE), 1);
}

}  // namespace
}  // namespace robust_kbench
