#include "evaluate/place_in_line.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(PlaceInLine, IsTheLastUnlessOneGoesFirst) {
  EXPECT_EQ(place_in_line({}, false), 0U);
  EXPECT_EQ(place_in_line({true, false}, false), 2U);
  EXPECT_EQ(place_in_line({}, true), 0U);
  EXPECT_EQ(place_in_line({false, false}, true), 0U);
  EXPECT_EQ(place_in_line({true, true, false}, true), 2U);
}

}  // namespace
}  // namespace robust_kbench
