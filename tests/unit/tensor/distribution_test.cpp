#include <cmath>

#include "core/error.hpp"
#include <robust_kbench/task.hpp>

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// The weights of torch.nn.Linear(64, 10) and torch.nn.Conv2d(4, 10, 3).
TEST(Distribution, KaimingUniformIsBoundedByTheFanIn) {
  const Distribution linear = kaiming_uniform({10, 64});
  EXPECT_EQ(linear.kind, Distribution::Kind::uniform);
  EXPECT_DOUBLE_EQ(linear.a, -1.0 / 8);
  EXPECT_DOUBLE_EQ(linear.b, 1.0 / 8);
  EXPECT_DOUBLE_EQ(kaiming_uniform({10, 4, 3, 3}).b, 1.0 / 6);
}

TEST(Distribution, XavierNormalWeighsBothFans) {
  const Distribution linear = xavier_normal({10, 40});
  EXPECT_EQ(linear.kind, Distribution::Kind::normal);
  EXPECT_DOUBLE_EQ(linear.b, 0.2);
  EXPECT_DOUBLE_EQ(xavier_normal({5, 3, 5, 5}).b, 0.1);
}

TEST(Distribution, InitializationGoesByName) {
  EXPECT_DOUBLE_EQ(initialization("kaiming", {10, 64}).b, 1.0 / 8);
  EXPECT_DOUBLE_EQ(initialization("xavier", {10, 40}).b, 0.2);
  EXPECT_DOUBLE_EQ(initialization("normal", {10, 40}).b, 1.0);
}

TEST(Distribution, RefusesAnUnknownInitialization) {
  try {
    initialization("orthogonal", {2, 2});
    FAIL() << "no UserError";
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(),
                 "init_method 'orthogonal' is unknown; known: kaiming, xavier, normal");
  }
}

TEST(Distribution, RefusesTheFanOfAVector) {
  EXPECT_THROW(xavier_normal({10}), UserError);
}

}  // namespace
}  // namespace robust_kbench
