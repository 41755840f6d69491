#include "rule_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string sum_function(const std::string& type, const std::string& loop) {
  return "void f(const float* x, float* y, long a, long n) {\n  " + type + " s = 0;\n" + loop +
         "  y[0] = s;\n}\n";
}

TEST(PartialSums, AddsInManyLanes) {
  const std::string source = sum_function(
      "float", "#pragma omp simd reduction(+ : s)\n  for (long i = a; i < n; ++i) s += x[i];\n");
  EXPECT_EQ(first_edit("partial_sums", source),
            sum_function("float",
                         "  constexpr long i_lanes = 32;  // tune: 16, 32, 64, 128\n"
                         "  float s_lanes[i_lanes] = {};\n"
                         "  const long i_whole = a < n ? n - (n - a) % i_lanes : a;\n"
                         "  for (long i_begin = a; i_begin < i_whole; i_begin += i_lanes) {\n"
                         "#pragma omp simd\n"
                         "    for (long i = i_begin; i < i_begin + i_lanes; ++i) {\n"
                         "      s_lanes[i - i_begin] += x[i];\n"
                         "    }\n"
                         "  }\n"
                         "#pragma omp simd reduction(+ : s)\n"
                         "  for (long i = 0; i < i_lanes; ++i) {\n"
                         "    s += s_lanes[i];\n"
                         "  }\n"
                         "#pragma omp simd reduction(+ : s)\n"
                         "  for (long i = i_whole; i < n; ++i) {\n"
                         "    s += x[i];\n"
                         "  }\n"));
}

TEST(PartialSums, PutsBracketsAroundFirstValuesAndBounds) {
  EXPECT_THAT(
      first_edit("partial_sums",
                 sum_function("float", "  for (long i = a + 1; i < n >> 1; ++i) s += x[i];\n")),
      HasSubstr("i_whole = (a + 1) < (n >> 1) ? (n >> 1) - ((n >> 1) - (a + 1)) % i_lanes : (a + "
                "1);"));
  EXPECT_THAT(
      first_edit("partial_sums",
                 sum_function("float", "  for (long i = 0; i < (n - 1); ++i) s += x[i];\n")),
      HasSubstr("i_whole = (n - 1) - (n - 1) % i_lanes;"));
}

TEST(PartialSums, DoesNotDoItTwice) {
  const std::string source = sum_function("float", "  for (long i = 0; i < n; ++i) s += x[i];\n");
  EXPECT_THAT(offered("partial_sums", first_edit("partial_sums", source)), IsEmpty());
}

TEST(PartialSums, LeavesOtherLoopsAlone) {
  for (const char* loop :
       {"for (long i = 0; i < n; ++i) s = s > x[i] ? s : x[i];\n",
        "for (long i = 0; i < 4; ++i) s += x[i];\n", "for (long i = 0; i < n; i += 2) s += x[i];\n",
        "for (long i = 0; i < n; ++i) { if (x[i] > 4) break; s += x[i]; }\n",
        "for (long i = 0; i < n; ++i) { s += x[i]; y[1] = s; }\n"}) {
    EXPECT_THAT(offered("partial_sums", sum_function("float", loop)), IsEmpty()) << loop;
  }
  // A type whose sums may not be reordered, or whose array cannot be made.
  EXPECT_THAT(
      offered("partial_sums", sum_function("Wide", "for (long i = 0; i < n; ++i) s += x[i];\n")),
      IsEmpty());
}

}  // namespace
}  // namespace robust_kbench
