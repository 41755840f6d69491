#include "device/cpu_peaks.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// No processor of the last decade is outside of these, with as many cores as one may have.
TEST(CpuPeaks, LieWhereProcessorsDo) {
  EXPECT_GT(cpu_peaks().copy_bytes_per_s, 1e8);
  EXPECT_LT(cpu_peaks().copy_bytes_per_s, 1e14);
  EXPECT_GT(cpu_peaks().flops_per_s, 1e8);
  EXPECT_LT(cpu_peaks().flops_per_s, 1e15);
}

TEST(CpuPeaks, AreMeasuredOnce) {
  EXPECT_EQ(&cpu_peaks(), &cpu_peaks());
}

}  // namespace
}  // namespace robust_kbench
