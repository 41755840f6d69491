#include "core/error.hpp"
#include <robust_kbench/params.hpp>

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(Params, GivesValuesByType) {
  const Params params{
      {"n", std::int64_t{3}}, {"eps", 1e-8}, {"flag", true}, {"m", std::string("x")}};
  EXPECT_EQ(params.integer("n"), 3);
  EXPECT_EQ(params.real("eps"), 1e-8);
  EXPECT_EQ(params.real("n"), 3.0);
  EXPECT_TRUE(params.boolean("flag"));
  EXPECT_EQ(params.text("m"), "x");
}

TEST(Params, RefusesUnknownNamesAndOtherTypes) {
  const Params params{{"n", std::int64_t{3}}};
  EXPECT_THROW((void)params.integer("m"), UserError);
  EXPECT_THROW((void)params.text("n"), UserError);
}

}  // namespace
}  // namespace robust_kbench
