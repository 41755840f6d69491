#include <string>

#include "rule_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// A window that may reach beyond both ends of x, with its loop over j inside.
std::string window(const std::string& guard, const std::string& type = "int") {
  return first_edit("interchange",
                    "void f(const float* x, const float* k, float* y, int n, int m, "
                    "int p) {\n"
                    "  for (" +
                        type +
                        " j = 0; j < n; ++j) {\n"
                        "    float s = 0.0f;\n"
                        "    for (int i = 0; i < m; ++i) {\n"
                        "      const int at = j + i - p;\n"
                        "      if (" +
                        guard +
                        ") s += x[at] * k[i];\n"
                        "    }\n"
                        "    y[j] = s;\n"
                        "  }\n"
                        "}\n");
}

TEST(GuardedIterations, AreAllThatALoopGoesThrough) {
  EXPECT_THAT(window("at >= 0 && at < n"),
              HasSubstr("    for (int i = 0; i < m; ++i) {\n"
                        "      const int j_first = j_begin < 0 - (i - p) ? 0 - (i - p) : j_begin;\n"
                        "      const int j_end = j_begin + j_block > n - (i - p) ? n - (i - p) : "
                        "j_begin + j_block;\n"
                        "      const auto k_value = k[i];\n"
                        "#pragma omp simd\n"
                        "      for (int j = j_first; j < j_end; ++j) {\n"
                        "        const int at = j + i - p;\n"
                        "        s_tile[j - j_begin] += x[at] * k_value;\n"
                        "      }\n"));
}

TEST(GuardedIterations, CountFromEachKindOfComparison) {
  EXPECT_THAT(window("at > 0 && at <= n"),
              AllOf(HasSubstr("j_begin < 0 - (i - p) + 1 ? 0 - (i - p) + 1 : j_begin;"),
                    HasSubstr("> n - (i - p) + 1 ? n - (i - p) + 1 : j_begin + j_block;")));
  EXPECT_THAT(window("0 <= at && n > at"),
              AllOf(HasSubstr("j_begin < 0 - (i - p) ? 0 - (i - p) : j_begin;"),
                    HasSubstr("> n - (i - p) ? n - (i - p) : j_begin + j_block;")));
  EXPECT_THAT(window("p + j >= m"), HasSubstr("j_begin < m - (p) ? m - (p) : j_begin;"));
}

// A condition that is no sum of the loop's variable and others is asked in each iteration.
TEST(GuardedIterations, AreNotToldFromOtherConditions) {
  for (const char* guard : {"p - j >= 0 && at < n", "2 * j < n", "j * p < n", "at >= 0 || at < n",
                            "x[at] > 0.0f", "at != 0", "at % 2 < n", "j + j < n"}) {
    EXPECT_THAT(window(guard),
                AllOf(HasSubstr(std::string("if (") + guard + ")"), Not(HasSubstr("j_first"))))
        << guard;
  }
}

TEST(GuardedIterations, NeedATypeThatCanBeNegative) {
  EXPECT_THAT(window("at >= 0 && at < n", "unsigned"),
              AllOf(HasSubstr("if (at >= 0 && at < n)"), Not(HasSubstr("j_first"))));
}

}  // namespace
}  // namespace robust_kbench
