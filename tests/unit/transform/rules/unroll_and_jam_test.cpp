#include "rule_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string rows(const std::string& body) {
  return "void f(const float* x, const float* w, float* y, int m, int n) {\n"
         "  for (int i = 0; i < m; ++i) {\n" +
         body + "  }\n}\n";
}

const std::string dot =
    "    float s = 0;\n"
    "#pragma omp simd reduction(+ : s)\n"
    "    for (int k = 0; k < n; ++k) {\n"
    "      s += x[k] * w[i * n + k];\n"
    "    }\n"
    "    y[i] = s;\n";

TEST(UnrollAndJam, HasIterationsShareWhatTheyLoad) {
  const std::string edited = first_edit("unroll_and_jam", rows(dot));
  EXPECT_THAT(edited, HasSubstr("  const int i_whole = m - m % 4;\n"
                                "  for (int i = 0; i < i_whole; i += 4) {\n"
                                "    float s_0 = 0;\n"
                                "    float s_1 = 0;\n"
                                "    float s_2 = 0;\n"
                                "    float s_3 = 0;\n"
                                "#pragma omp simd reduction(+ : s_0, s_1, s_2, s_3)\n"
                                "    for (int k = 0; k < n; ++k) {\n"
                                "      s_0 += x[k] * w[i * n + k];\n"
                                "      s_1 += x[k] * w[(i + 1) * n + k];\n"
                                "      s_2 += x[k] * w[(i + 2) * n + k];\n"
                                "      s_3 += x[k] * w[(i + 3) * n + k];\n"
                                "    }\n"
                                "    y[i] = s_0;\n"
                                "    y[(i + 1)] = s_1;\n"));
  // The iterations that are left are as they were.
  EXPECT_THAT(edited, HasSubstr("  for (int i = i_whole; i < m; ++i) {\n" + dot + "  }\n"));
}

TEST(UnrollAndJam, PutsBracketsAroundFirstValuesAndBounds) {
  EXPECT_THAT(first_edit("unroll_and_jam",
                         "void f(const float* x, const float* w, float* y, int m, int n) {\n"
                         "  for (int i = n + 1; i < m >> 1; ++i) {\n" +
                             dot + "  }\n}\n"),
              HasSubstr("i_whole = (n + 1) < (m >> 1) ? (m >> 1) - ((m >> 1) - (n + 1)) % 4 : (n + "
                        "1);"));
}

TEST(UnrollAndJam, OffersOtherNumbersOfIterations) {
  std::string all;
  for (const Transform& transform : offered("unroll_and_jam", rows(dot))) all += transform.source;
  EXPECT_THAT(all, HasSubstr("i += 2"));
  EXPECT_THAT(all, HasSubstr("i += 8"));
}

TEST(UnrollAndJam, LeavesWhatWasUnrolledAlone) {
  EXPECT_THAT(offered("unroll_and_jam", first_edit("unroll_and_jam", rows(dot))), IsEmpty());
}

TEST(UnrollAndJam, KeepsConstantsThatIterationsShare) {
  const std::string edited = first_edit("unroll_and_jam", rows("    for (int k = 0; k < n; ++k) {\n"
                                                               "      const float v = x[k] * 2;\n"
                                                               "      y[k] += v * w[i * n + k];\n"
                                                               "    }\n"));
  EXPECT_THAT(edited, HasSubstr("      const float v = x[k] * 2;\n"
                                "      y[k] += v * w[i * n + k];\n"
                                "      y[k] += v * w[(i + 1) * n + k];\n"));
}

TEST(UnrollAndJam, LeavesLoopsAloneThatHaveNothingToShareOrMayNotMove) {
  for (const char* body :
       {// Each iteration has elements of its own.
        "float s = 0;\nfor (int k = 0; k < n; ++k) s += w[i * n + k];\ny[i] = s;\n",
        // The inner loop differs between iterations.
        "float s = 0;\nfor (int k = 0; k < i; ++k) s += x[k] * w[i * n + k];\ny[i] = s;\n",
        // An iteration reads what the one before it wrote.
        "for (int k = 0; k < n; ++k) y[i * n + k] = x[k] + y[i * n - n + k];\n",
        "float s = 0;\nfor (int k = 0; k < n; ++k) { if (x[k] > s) break; s += x[k]; }\ny[i] = "
        "s;\n",
        "for (int k = 0; k < n; ++k) y[k] = x[k] + w[i * n + k];\n"}) {
    EXPECT_THAT(offered("unroll_and_jam", rows(body)), IsEmpty()) << body;
  }
}

}  // namespace
}  // namespace robust_kbench
