#include "device/cpu_peaks.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// The limits include every machine of the last decade, with any number of cores.
TEST(CpuPeaks, ArePlausible) {
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
