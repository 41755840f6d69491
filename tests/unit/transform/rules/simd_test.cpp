#include "rule_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

std::string summing_function(const std::string& loops) {
  return "#include <cmath>\n"
         "void f(const float* x, const int* index, float* y, long n) {\n"
         "  float s = 0.0f;\n" +
         loops + "  y[n] = s;\n}\n";
}

TEST(SimdReduction, AddsLanes) {
  const std::string source =
      summing_function("  for (long i = 0; i < n; ++i) {\n    s += x[i];\n  }\n");
  EXPECT_EQ(first_edit("simd_reduction", source),
            summing_function("#pragma omp simd reduction(+ : s)\n"
                             "  for (long i = 0; i < n; ++i) {\n    s += x[i];\n  }\n"));
}

TEST(SimdReduction, KnowsTheWaysToKeepAnExtreme) {
  for (const char* body :
       {"s = std::max(s, x[i]);", "s = fmaxf(x[i], s);", "s = x[i] > s ? x[i] : s;",
        "s = s < x[i] ? x[i] : s;", "if (x[i] > s) s = x[i];", "if (s < x[i]) { s = x[i]; }"}) {
    const std::string source =
        summing_function(std::string("for (int i = 0; i < n; i++) ") + body + "\n");
    EXPECT_THAT(first_edit("simd_reduction", source), HasSubstr("reduction(max : s)")) << body;
  }
  const std::string least =
      summing_function("for (int i = 0; i < n; i++) if (x[i] < s) s = x[i];\n");
  EXPECT_THAT(first_edit("simd_reduction", least), HasSubstr("reduction(min : s)"));
}

TEST(SimdReduction, DeclaresTheVectorFunctionsThatTheLoopCalls) {
  const std::string source = summing_function("for (int i = 0; i < n; ++i) s += std::exp(x[i]);\n");
  EXPECT_THAT(first_edit("simd_reduction", source),
              HasSubstr("#include <cmath>\n\nextern \"C\" {\n#pragma omp declare simd notinbranch\n"
                        "float expf(float) noexcept;\n}\nvoid f("));
}

TEST(SimdReduction, FollowsFunctionsOfTheSource) {
  const std::string pure = "float square(float v) { return v * v; }\n";
  const std::string counting = "int calls;\nfloat square(float v) { ++calls; return v * v; }\n";
  const std::string loop = summing_function("for (int i = 0; i < n; ++i) s += square(x[i]);\n");
  EXPECT_THAT(offered("simd_reduction", pure + loop), SizeIs(1));
  EXPECT_THAT(offered("simd_reduction", counting + loop), IsEmpty());
}

TEST(SimdReduction, LeavesSumsAloneThatALoopOrACallReads) {
  for (const char* loop :
       {"for (long i = 0; i < n; ++i) n -= x[i];\n", "for (long i = n; i < 9; i += n) n += x[i];\n",
        "for (long i = 0; i < index[3]++; ++i) s += x[i];\n"}) {
    EXPECT_THAT(offered("simd_reduction", summing_function(loop)), IsEmpty()) << loop;
  }
  const std::string loop =
      "void f(const float* x, float* y, int n) {\n"
      "  for (int i = 0; i < n; ++i) { total += x[i]; y[i] = peek(x[i]); }\n}\n";
  const std::string reads = "float total;\nfloat peek(float f) { return f + total; }\n";
  const std::string through = "float peek(float f) { return once(f); }\n";
  EXPECT_THAT(offered("simd_reduction", reads + loop), IsEmpty());
  EXPECT_THAT(offered("simd_reduction",
                      "float total;\nfloat once(float f) { return f + total; }\n" + through + loop),
              IsEmpty());
  EXPECT_THAT(offered("simd_reduction", "float peek(float total) { return 2 * total; }\n" + loop),
              SizeIs(1));
  EXPECT_THAT(
      offered("simd_reduction", "float peek(float f) { float total = f; return total; }\n" + loop),
      SizeIs(1));
  EXPECT_THAT(offered("simd_reduction",
                      "float total;\nfloat peek(float f) { { float total = f; } "
                      "return total; }\n" +
                          loop),
              IsEmpty());
}

TEST(SimdReduction, OffersAllPlacesAtOnceFirst) {
  const std::string source = summing_function(
      "for (int i = 0; i < n; ++i) s += x[i];\n"
      "for (int j = 0; j < n; ++j) s += x[j] * x[j];\n");
  const auto found = offered("simd_reduction", source);
  ASSERT_THAT(found, SizeIs(3));
  EXPECT_THAT(found[0].source, HasSubstr("(+ : s)\nfor (int i"));
  EXPECT_THAT(found[0].source, HasSubstr("(+ : s)\nfor (int j"));
  EXPECT_THAT(found[1].source, Not(HasSubstr("(+ : s)\nfor (int j")));
  EXPECT_EQ(found[2].line, 5);
}

TEST(SimdReduction, BeginsWithWhatARemarkNames) {
  const std::string source = summing_function(
      "for (int i = 0; i < n; ++i) s += x[i];\n"
      "for (int j = 0; j < n; ++j) s += x[j] * x[j];\n");
  EXPECT_EQ(offered("simd_reduction", source, {{5, "not vectorized"}})[1].line, 5);
}

TEST(SimdReduction, LeavesLoopsAloneThatItDoesNotUnderstand) {
  for (const char* body :
       {"s = s * 0.5f + x[i];", "{ s += x[i]; y[i] = s; }", "{ if (x[i] > 1) break; s += x[i]; }",
        "{ if (x[i] > 1) return; s += x[i]; }", "s += unknown(x[i]);", "s += x[i]++;",
        "{ s += x[i]; s = s > 9 ? 9 : s; }", "s = x[i] > s ? s : x[i + 1];",
        "{ s += y[i]; y[i + 1] = x[i]; }", "{ s += x[i]; x += 2; }", "{ s += x[i]; asm(\"\"); }"}) {
    const std::string source =
        summing_function(std::string("for (int i = 0; i < n; ++i) ") + body + "\n");
    EXPECT_THAT(offered("simd_reduction", source), IsEmpty()) << body;
  }
  EXPECT_THAT(
      offered("simd_reduction",
              summing_function("#pragma omp simd\nfor (int i = 0; i < n; ++i) s += x[i];\n")),
      IsEmpty());
}

TEST(SimdIndependent, MarksLoopsWithoutDependences) {
  for (const char* body : {"y[i] = x[i] * 2;", "y[2 * i + 1] += x[index[i]];",
                           "{ const float v = x[i]; y[i] = v > 0 ? v : 0; }",
                           "{ float* row = y + i * n; row[3] = x[i]; }"}) {
    const std::string source =
        summing_function(std::string("for (int i = 0; i < n; ++i) ") + body + "\n");
    EXPECT_THAT(first_edit("simd_independent", source), HasSubstr("#pragma omp simd\nfor")) << body;
  }
}

TEST(SimdIndependent, LeavesMemoryAloneThatALoopOrACallReads) {
  const std::string before = "  const auto before = [&](long i) { return 2 * y[i - 1]; };\n";
  for (const std::string& loop : {before + "for (long i = 1; i < n; ++i) y[i] = before(i);\n",
                                  std::string("for (long i = 0; i < y[3]; ++i) y[i] = x[i];\n")}) {
    EXPECT_THAT(offered("simd_independent", summing_function(loop)), IsEmpty()) << loop;
  }
}

TEST(SimdIndependent, LeavesDependencesAlone) {
  for (const char* body : {"y[i] = y[i - 1] + x[i];", "y[index[i]] = x[i];", "y[i / 2] = x[i];",
                           "y[0] += x[i];", "y[i % 4] = x[i];", "*y = x[i];"}) {
    const std::string source =
        summing_function(std::string("for (int i = 0; i < n; ++i) ") + body + "\n");
    EXPECT_THAT(offered("simd_independent", source), IsEmpty()) << body;
  }
}

}  // namespace
}  // namespace robust_kbench
