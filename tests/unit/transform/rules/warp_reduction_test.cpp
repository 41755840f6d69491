#include "rule_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string row_kernel(const std::string& body, const std::string& grid = "blocks(m)") {
  return "constexpr int threads = 128;\n"
         "__global__ void rows(const float* x, float* y, int m, int n) {\n"
         "  const int i = blockIdx.x * threads + threadIdx.x;\n"
         "  if (i >= m) return;\n" +
         body +
         "}\n"
         "void launch(const float* x, float* y, int m, int n) {\n"
         "  rows<<<" +
         grid + ", threads>>>(x, y, m, n);\n}\n";
}

const std::string sum =
    "  float s = 0;\n"
    "  for (int j = 0; j < n; ++j) {\n"
    "    s += x[i * n + j];\n"
    "  }\n"
    "  y[i] = s;\n";

TEST(WarpReduction, GivesARowToSeveralThreads) {
  const auto found = offered_for_cuda("warp_reduction", row_kernel(sum));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].source,
            "constexpr int threads = 128;\n"
            "constexpr int rows_lanes = 32;  // tune: 4, 8, 16, 32\n"
            "__global__ void rows(const float* x, float* y, int m, int n) {\n"
            "  const int i = (blockIdx.x * threads + threadIdx.x) / rows_lanes;\n"
            "  const int lane = threadIdx.x % rows_lanes;\n"
            "  const unsigned group = 0xffffffffu >> (32 - rows_lanes) << (threadIdx.x % 32 - "
            "lane);\n"
            "  if (i >= m) return;\n"
            "  float s = 0;\n"
            "  if (lane != 0) s = 0;\n"
            "  for (int j = lane; j < n; j += rows_lanes) {\n"
            "    s += x[i * n + j];\n"
            "  }\n"
            "  for (int offset = rows_lanes / 2; offset > 0; offset /= 2) {\n"
            "    s += __shfl_xor_sync(group, s, offset);\n"
            "  }\n"
            "  if (lane == 0) y[i] = s;\n"
            "}\n"
            "void launch(const float* x, float* y, int m, int n) {\n"
            "  rows<<<(blocks(m)) * rows_lanes, threads>>>(x, y, m, n);\n}\n");
}

TEST(WarpReduction, KeepsTheGreatest) {
  const auto found = offered_for_cuda(
      "warp_reduction", row_kernel("  float s = x[i * n];\n"
                                   "  for (int j = 1; j < n; ++j) s = fmaxf(s, x[i * n + j]);\n"
                                   "  y[i] = s;\n"));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].source, HasSubstr("for (int j = (1) + lane; j < n; j += rows_lanes) {"));
  EXPECT_THAT(found[0].source, HasSubstr("s = max(s, __shfl_xor_sync(group, s, offset));"));
}

TEST(WarpReduction, SpreadsLoopsThatWriteTheRow) {
  const auto found = offered_for_cuda(
      "warp_reduction", row_kernel("  for (int j = 0; j < n; ++j) y[i * n + j] = x[i * n + j];\n"));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].source, HasSubstr("for (int j = lane; j < n; j += rows_lanes) {\n"
                                         "    y[i * n + j] = x[i * n + j];\n"));
}

TEST(WarpReduction, LeavesOtherKernelsAlone) {
  const std::vector<std::string> sources{
      // Neighbouring threads read neighbouring elements already.
      row_kernel("  float s = 0;\n  for (int j = 0; j < n; ++j) s += x[j * m + i];\n  y[i] = s;\n"),
      row_kernel("  __shared__ float t[4];\n" + sum),
      row_kernel(sum + "  __syncthreads();\n"),
      row_kernel(sum + "  y[threadIdx.x] = s;\n"),
      row_kernel(sum + "  atomicAdd(y, s);\n"),
      row_kernel(
          "  float s = y[i];\n  for (int j = 0; j < n; ++j) s += x[i * n + j];\n  y[i] = s;\n"),
      row_kernel(
          "  float s = 0;\n  for (int j = 0; j < n; ++j) s = s * x[i * n + j] + 1;\n  y[i] = s;\n"),
      row_kernel(sum, "dim3(m, 2)"),
      "__global__ void rows(const float* x, float* y, int m, int n) {\n"
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
          sum + "}\n"};
  for (const std::string& source : sources) {
    EXPECT_THAT(offered_for_cuda("warp_reduction", source), IsEmpty()) << source;
  }
}

}  // namespace
}  // namespace robust_kbench
