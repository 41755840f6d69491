#include "rule_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const std::string hinted_source =
    "#include <cstdio>\n"
    "constexpr int threads = 128;\n"
    "__global__ void rows(const float* x, float* y, int n) {\n"
    "  __shared__ float tile[32][32];\n"
    "  for (int j = 0; j < n; ++j) y[j] = x[j];\n"
    "  for (int j = 0; j < 4; ++j) y[j] = tile[j][0];\n"
    "}\n"
    "void host(const float* x, float* y, int n) {\n"
    "  for (int j = 0; j < n; ++j) y[j] = 0;\n"
    "  rows<<<1, threads>>>(x, y, n);\n}\n";

TEST(Unroll, NamesItsCountForTheTuner) {
  const auto found = offered_for_cuda("unroll", hinted_source);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].source, HasSubstr("constexpr int unroll_count = 4;  // tune: 1, 2, 4"));
  EXPECT_THAT(found[0].source, HasSubstr("#pragma unroll unroll_count\n  for (int j = 0; j < n;"));
  EXPECT_THAT(offered_for_cuda("unroll", found[0].source), IsEmpty());
}

TEST(Restrict, MarksPointersOnce) {
  const auto found = offered_for_cuda("restrict", hinted_source);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].source,
              HasSubstr("rows(const float* __restrict__ x, float* __restrict__ y, int n)"));
  EXPECT_THAT(found[0].source, HasSubstr("host(const float* x"));
  EXPECT_THAT(offered_for_cuda("restrict", found[0].source), IsEmpty());
}

TEST(LaunchBounds, TakeTheBlockOfTheLaunches) {
  const auto found = offered_for_cuda("launch_bounds", hinted_source);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].source,
              HasSubstr("__global__ void __launch_bounds__(threads, rows_blocks) rows("));
  EXPECT_THAT(offered_for_cuda("launch_bounds", found[0].source), IsEmpty());
}

TEST(LaunchBounds, NeedAKnownBlock) {
  std::string unknown = hinted_source;
  unknown.replace(unknown.find("1, threads"), 10, "1, n");
  EXPECT_THAT(offered_for_cuda("launch_bounds", unknown), IsEmpty());
}

TEST(SharedPadding, NeedsTheAdvice) {
  EXPECT_THAT(offered_for_cuda("shared_padding", hinted_source), IsEmpty());
  const auto found = offered_for_cuda("shared_padding", hinted_source, {{0, "bank_conflicts"}});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].source, HasSubstr("tile[32][32 + 1];"));
}

}  // namespace
}  // namespace robust_kbench
