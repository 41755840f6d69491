#include "rule_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string product(const std::string& element) {
  return "void f(const float* a, const float* b, float* c, long m, long n, long k) {\n"
         "  for (long i = 0; i < m; ++i) {\n"
         "    for (long j = 0; j < n; ++j) {\n"
         "      float sum = 0.0f;\n"
         "      for (long l = 0; l < k; ++l) {\n"
         "        sum += a[i * k + l] * " +
         element +
         ";\n"
         "      }\n"
         "      c[i * n + j] = sum;\n"
         "    }\n"
         "  }\n"
         "}\n";
}

TEST(Interchange, MovesTheLoopOfNeighbouringElementsInside) {
  const std::string edited = first_edit("interchange", product("b[l * n + j]"));
  EXPECT_THAT(edited, HasSubstr("  for (long i = 0; i < m; ++i) {\n"
                                "    constexpr long j_block = 64;  // tune: 16, 32, 64, 128, 256"));
  EXPECT_THAT(edited, HasSubstr("    const long j_whole = n - n % j_block;\n"
                                "    for (long j_begin = 0; j_begin < j_whole; j_begin += j_block) "
                                "{\n"
                                "      float sum_tile[j_block];\n"
                                "#pragma omp simd\n"
                                "      for (long j = j_begin; j < j_begin + j_block; ++j) {\n"
                                "        sum_tile[j - j_begin] = 0.0f;\n"
                                "      }\n"
                                "      for (long l = 0; l < k; ++l) {\n"
                                "        const auto a_value = a[i * k + l];\n"
                                "#pragma omp simd\n"
                                "        for (long j = j_begin; j < j_begin + j_block; ++j) {\n"
                                "          sum_tile[j - j_begin] += a_value * b[l * n + j];\n"
                                "        }\n"
                                "      }\n"
                                "#pragma omp simd\n"
                                "      for (long j = j_begin; j < j_begin + j_block; ++j) {\n"
                                "        c[i * n + j] = sum_tile[j - j_begin];\n"
                                "      }\n"
                                "    }\n"));
  // The last tile is not whole.
  EXPECT_THAT(edited, HasSubstr("for (long j = j_begin; j < n; ++j) {"));
}

// Vectors gain nothing on a few iterations, and other rules leave those as they are, too.
TEST(Interchange, KeepsFewIterationsAsTheyWere) {
  const std::string edited = first_edit("interchange", product("b[l * n + j]"));
  EXPECT_THAT(edited,
              HasSubstr("    if (n - j_whole < 8) {\n"
                        "      for (long j = j_whole; j < n; ++j) {\n"
                        "        float sum = 0.0f;\n"
                        "        for (long l = 0; l < k; ++l) {\n"
                        "          sum += a[i * k + l] * b[l * n + j];\n"
                        "        }\n"
                        "        c[i * n + j] = sum;\n"
                        "      }\n"
                        "    } else {\n"
                        "      for (long j_begin = j_whole; j_begin < n; j_begin += j_block) {"));
  EXPECT_THAT(offered("simd_reduction", edited), IsEmpty());
}

TEST(Interchange, PutsBracketsAroundFirstValuesAndBounds) {
  const std::string edited = first_edit("interchange",
                                        "void f(const float* x, float* y, long m, long n) {\n"
                                        "  for (long j = m + 1; j < n >> 1; ++j) {\n"
                                        "    float s = 0;\n"
                                        "    for (long i = 0; i < m; ++i) s += x[i * n + j];\n"
                                        "    y[j] = s;\n  }\n}\n");
  EXPECT_THAT(edited,
              AllOf(HasSubstr("j_whole = (m + 1) < (n >> 1) ? (n >> 1) - ((n >> 1) - (m + 1)) % "
                              "j_block : (m + 1);"),
                    HasSubstr("if ((n >> 1) - j_whole < 8) {"), HasSubstr("j < (n >> 1); ++j")));
}

// A bound of several conditions is compared in parts.
TEST(Interchange, LeavesOtherConditionsAlone) {
  for (const char* bound :
       {"n | 1", "n & ~1", "n == 4", "n > 4", "n < m < 4", "n ? 3 : 4", "n, m < 4"}) {
    const std::string source =
        "void f(const float* x, float* y, long m, long n) {\n"
        "  for (long j = 0; j < " +
        std::string(bound) +
        "; ++j) {\n"
        "    float s = 0;\n"
        "    for (long i = 0; i < m; ++i) s += x[i * n + j];\n"
        "    y[j] = s;\n  }\n}\n";
    EXPECT_THAT(offered("interchange", source), IsEmpty()) << bound;
  }
}

TEST(Interchange, LeavesRowsAlone) {
  EXPECT_THAT(offered("interchange", product("b[j * k + l]")), IsEmpty());
}

TEST(Interchange, DoesNotDoItTwice) {
  EXPECT_THAT(offered("interchange", first_edit("interchange", product("b[l * n + j]"))),
              IsEmpty());
}

std::string column_loop(const std::string& body) {
  return "void f(const float* x, const long* ends, float* y, long m, long n) {\n"
         "  for (long j = 0; j < n; ++j) {\n" +
         body + "  }\n}\n";
}

TEST(Interchange, RepeatsConstantsWhereTheyAreNeeded) {
  const std::string edited =
      first_edit("interchange", column_loop("const float* column = x + j;\n"
                                            "float s = 0;\n"
                                            "for (long i = 0; i < m; ++i) {\n"
                                            "  const long row = i * n;\n"
                                            "  if (column[row] < 0) continue;\n"
                                            "  s += column[row];\n"
                                            "}\n"
                                            "y[j] = s;\n"));
  EXPECT_THAT(edited, HasSubstr("    for (long i = 0; i < m; ++i) {\n"
                                "      const long row = i * n;\n"
                                "#pragma omp simd\n"
                                "      for (long j = j_begin; j < j_begin + j_block; ++j) {\n"
                                "        const float* column = x + j;\n"
                                "        if (column[row] < 0) continue;\n"
                                "        s_tile[j - j_begin] += column[row];\n"));
}

TEST(Interchange, KeepsIterationsThatNeedEachOther) {
  const std::string loop = "for (long i = 0; i < m; ++i) ";
  const std::vector<std::string> bodies{
      "float s = 0;\n" + loop + "s += x[i * n + j] + y[j + 1];\ny[j] = s;\n",
      "float s = 0;\nfor (long i = 0; i < j; ++i) s += x[i * n + j];\ny[j] = s;\n",
      "float s = 0;\nfor (long i = 0; i < ends[j]; ++i) s += x[i * n + j];\ny[j] = s;\n",
      "float s = 0;\n" + loop + "{ if (s > 1) break; s += x[i * n + j]; }\ny[j] = s;\n",
      "auto s = x[j];\n" + loop + "s += x[i * n + j];\ny[j] = s;\n",
      loop + "y[j + i] += x[i * n + j];\n"};
  for (const std::string& body : bodies) {
    EXPECT_THAT(offered("interchange", column_loop(body)), IsEmpty()) << body;
  }
}

TEST(Interchange, AsksOnceWhatIsTheSameForATile) {
  const std::string edited =
      first_edit("interchange", column_loop("float s = 0;\n"
                                            "for (long i = 0; i < m; ++i) {\n"
                                            "  if (i > 2 && i < ends[0] && x[i * n + j] > 0) {\n"
                                            "    s += x[i * n + j];\n"
                                            "  }\n"
                                            "}\n"
                                            "y[j] = s;\n"));
  EXPECT_THAT(edited, HasSubstr("      if (i > 2 && i < ends[0]) {\n"
                                "#pragma omp simd\n"
                                "        for (long j = j_begin; j < j_begin + j_block; ++j) {\n"
                                "          if (x[i * n + j] > 0) {\n"
                                "            s_tile[j - j_begin] += x[i * n + j];\n"));
}

TEST(Interchange, KeepsSumsOfTheLoopItMoves) {
  const std::string sum = "float s = 0;\nfor (long i = 0; i < m; ++i) s += x[i * n + j];\n";
  const std::string function =
      "float f(const float* x, long m, long n) {\n"
      "  float total = 0;\n"
      "  for (long j = 0; j < n; ++j) {\n" +
      sum;
  EXPECT_THAT(first_edit("interchange", function + "total += s * s;\n}\nreturn total;\n}\n"),
              HasSubstr("#pragma omp simd reduction(+ : total)\n"
                        "    for (long j = j_begin; j < j_begin + j_block; ++j) {\n"
                        "      total += s_tile[j - j_begin] * s_tile[j - j_begin];\n"));
  EXPECT_THAT(offered("interchange", function + "if (s > 0) total += s;\n}\nreturn total;\n}\n"),
              IsEmpty());
}

TEST(Interchange, GoesAcrossRowsForVectorFunctions) {
  const std::string rows =
      "#include <cmath>\n"
      "void f(const float* x, float* y, long m, long n) {\n"
      "  for (long i = 0; i < m; ++i) {\n"
      "    float s = 0;\n"
      "    for (long j = 0; j < n; ++j) s += std::exp(x[i * n + j]);\n"
      "    y[i] = s;\n  }\n}\n";
  EXPECT_THAT(first_edit("interchange", rows),
              HasSubstr("s_tile[i - i_begin] += std::exp(x[i * n + j]);"));
}

std::string product_of_matrices(const std::string& element) {
  return "template <class T> struct Matrix {\n"
         "  T* data;\n  long rows, columns;\n"
         "  T& operator()(long i, long j) const { " +
         element +
         " }\n};\n"
         "void f(const Matrix<float>& a, const Matrix<float>& b, Matrix<float> c) {\n"
         "  for (long i = 0; i < c.rows; ++i) {\n"
         "    for (long j = 0; j < c.columns; ++j) {\n"
         "      float sum{};\n"
         "      for (long k = 0; k < b.rows; ++k) sum += a(i, k) * b(k, j);\n"
         "      c(i, j) = sum;\n    }\n  }\n}\n";
}

TEST(Interchange, SeesElementsBehindCallOperators) {
  const std::string edited =
      first_edit("interchange", product_of_matrices("return data[i * columns + j];"));
  EXPECT_THAT(edited, HasSubstr("sum_tile[j - j_begin] = {};"));
  EXPECT_THAT(edited, HasSubstr("sum_tile[j - j_begin] += a(i, k) * b(k, j);"));
  EXPECT_THAT(edited, HasSubstr("c(i, j) = sum_tile[j - j_begin];"));
}

TEST(Interchange, LeavesCallOperatorsThatDoMore) {
  EXPECT_THAT(offered("interchange", product_of_matrices("++calls; return data[i * columns + j];")),
              IsEmpty());
}

// An element that a condition guards may lie outside of its memory where the condition fails.
TEST(Interchange, TakesOutNoElementThatAConditionMayGuard) {
  EXPECT_THAT(first_edit("interchange", product("(j > 0 && l > 0 ? a[i * k + l - 1] : 0.0f)")),
              AllOf(HasSubstr("a[i * k + l - 1] : 0.0f"), Not(HasSubstr("a_value"))));
  EXPECT_THAT(first_edit("interchange", product("(l > 0 && b[l * n + j] > a[i * k + l - 1])")),
              AllOf(HasSubstr("> a[i * k + l - 1])"), Not(HasSubstr("a_value"))));
  EXPECT_THAT(first_edit("interchange",
                         "void f(const float* a, const float* b, float* c, long n, long k) {\n"
                         "  for (long j = 0; j < n; ++j) {\n"
                         "    float sum = 0.0f;\n"
                         "    for (long l = 0; l < k; ++l) {\n"
                         "      if (b[l * n + j] > 0.0f && l > 0) sum += a[l - 1];\n"
                         "    }\n"
                         "    c[j] = sum;\n"
                         "  }\n"
                         "}\n"),
              AllOf(HasSubstr("sum_tile[j - j_begin] += a[l - 1];"), Not(HasSubstr("a_value"))));
}

TEST(Interchange, PutsBracesWhereALoopStandsAlone) {
  const std::string edited = first_edit("interchange",
                                        "void f(const float* x, float* y, int m, int n) {\n"
                                        "  if (m > 0)\n"
                                        "    for (int j = 0; j < n; ++j) {\n"
                                        "      float s = 0;\n"
                                        "      for (int i = 0; i < m; ++i) s += x[i * n + j];\n"
                                        "      y[j] = s;\n    }\n}\n");
  EXPECT_THAT(edited, HasSubstr("  if (m > 0)\n    {\n      constexpr int j_block"));
}

}  // namespace
}  // namespace robust_kbench
