#include "evolve/frozen_regions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(FrozenRegions, AreTheLinesBetweenTheMarkers) {
  EXPECT_THAT(frozen_regions("a\n  // frozen: begin\nb\nc\n// frozen: end\r\nd\n// frozen: begin\ne"),
              testing::ElementsAre("b\nc\n", "e"));
  EXPECT_THAT(frozen_regions("int frozen; // frozen: begin here"), testing::IsEmpty());
  EXPECT_THAT(frozen_regions(""), testing::IsEmpty());
}

}  // namespace
}  // namespace robust_kbench
