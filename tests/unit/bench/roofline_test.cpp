#include "bench/roofline.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

constexpr double l2_bytes = 50e6;
constexpr GpuPeaks peaks{.copy_bytes_per_s = 2e12,
                         .memory_bytes_per_s = 3e12,
                         .flops_per_s = 150e12,
                         .flops_unit = "3xTF32"};

TEST(Roofline, IsTheMemorysWhereItTakesLonger) {
  const Roofline r = roofline({.flops = 1e6, .bytes = 200e6}, 100e6, peaks, l2_bytes);
  EXPECT_DOUBLE_EQ(r.min_us, 100);
  EXPECT_EQ(r.bound, "memory, 2.00 TB/s");
  // 100 MB are read, and 50 MB are written that the cache does not hold.
  EXPECT_DOUBLE_EQ(r.impossible_us, 50);
}

TEST(Roofline, IsArithmeticsWhereThatTakesLonger) {
  const Roofline r = roofline({.flops = 150e9, .bytes = 1e6}, 1e6, peaks, l2_bytes);
  EXPECT_DOUBLE_EQ(r.min_us, 1000);
  EXPECT_EQ(r.bound, "3xTF32, 150 TFLOP/s");
  EXPECT_DOUBLE_EQ(r.impossible_us, 250);
}

TEST(Roofline, CountsNoWriteThatStaysInTheCache) {
  const Roofline r = roofline({.flops = 0, .bytes = 40e6}, 10e6, peaks, l2_bytes);
  EXPECT_DOUBLE_EQ(r.impossible_us, 10);
}

}  // namespace
}  // namespace robust_kbench
