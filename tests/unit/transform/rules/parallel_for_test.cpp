#include "rule_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(ParallelFor, SplitsTheOutermostLoopWhereThereIsWork) {
  const auto found = offered("parallel_for",
                             "#include <vector>\n"
                             "void f(const float* x, float* y, int m, int n) {\n"
                             "  for (int i = 0; i < m; ++i) {\n"
                             "    for (int j = 1; j < n; ++j) y[i * n + j] = x[j];\n"
                             "  }\n}\n");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].source,
              HasSubstr("#include <vector>\n\nconstexpr double parallel_work = 1e5;  // tune: "));
  EXPECT_THAT(found[0].source,
              HasSubstr("#pragma omp parallel for if (1.0 * m * (n - 1) > parallel_work)\n"
                        "  for (int i = 0; i < m; ++i) {\n"));
}

TEST(ParallelFor, CountsIterationsInBrackets) {
  EXPECT_THAT(first_edit("parallel_for",
                         "void f(const float* x, float* y, int m, int n) {\n"
                         "  for (int i = m - 1; i < n >> 1; ++i) y[i] = x[i];\n}\n"),
              HasSubstr("if (1.0 * ((n >> 1) - (m - 1)) > parallel_work)"));
}

TEST(ParallelFor, LeavesAloneWhatDependsOrIsParallelAlready) {
  for (const char* body :
       {"for (int i = 1; i < n; ++i) y[i] = y[i - 1];", "for (int i = 0; i < n; ++i) y[0] += x[i];",
        "for (int i = 0; i < n; ++i) { if (x[i] < 0) return; y[i] = x[i]; }",
        "for (int i = 0; i < n; ++i) y[i] = next();",
        "#pragma omp parallel for\nfor (int i = 0; i < n; ++i) y[i] = x[i];"}) {
    EXPECT_THAT(offered("parallel_for", "int next();\nvoid f(const float* x, float* y, int n) {\n" +
                                            std::string(body) + "\n}\n"),
                IsEmpty())
        << body;
  }
}

}  // namespace
}  // namespace robust_kbench
