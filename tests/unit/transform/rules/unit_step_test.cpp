#include "rule_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string windows(const std::string& index, const std::string& statement = "") {
  return "void f(const float* x, const float* k, float* y, int n, int m, int step) {\n"
         "  for (int i = 0; i < n; ++i) {\n"
         "    float sum = 0.0f;\n"
         "    for (int j = 0; j < m; ++j) sum += x[" +
         index + "] * k[j];\n" + statement +
         "    y[i] = sum;\n"
         "  }\n"
         "}\n";
}

TEST(UnitStep, MakesAVersionWithoutTheFactor) {
  EXPECT_THAT(first_edit("unit_step", windows("i * step + j")),
              AllOf(HasSubstr("if (step == 1) {\n    for (int i = 0; i < n; ++i) {"),
                    HasSubstr("sum += x[i + j] * k[j];"), HasSubstr("} else {"),
                    HasSubstr("sum += x[i * step + j] * k[j];")));
}

TEST(UnitStep, PutsOneWhereTheFactorComesFirst) {
  EXPECT_THAT(first_edit("unit_step", windows("step * i + j")),
              HasSubstr("sum += x[1 * i + j] * k[j];"));
}

TEST(UnitStep, TakesMembersAndNamesOfOtherNames) {
  EXPECT_THAT(first_edit("unit_step",
                         "struct Shape { int n, m, step; };\n"
                         "void f(const float* x, float* y, const Shape& s) {\n"
                         "  const int stride = s.step;\n"
                         "  for (int i = 0; i < s.n; ++i) {\n"
                         "    for (int j = 0; j < s.m; ++j) y[i] += x[i * stride + j];\n"
                         "  }\n"
                         "}\n"),
              HasSubstr("if (stride == 1) {"));
  EXPECT_THAT(first_edit("unit_step",
                         "struct Shape { int n, m, step; };\n"
                         "void f(const float* x, float* y, const Shape& s) {\n"
                         "  for (int i = 0; i < s.n; ++i) {\n"
                         "    for (int j = 0; j < s.m; ++j) y[i] += x[i * s.step + j];\n"
                         "  }\n"
                         "}\n"),
              AllOf(HasSubstr("if (s.step == 1) {"), HasSubstr("y[i] += x[i + j];")));
}

// No window overlaps the next one there, and a step of 1 is none that such a source is for.
TEST(UnitStep, LeavesLengthsOfRows) {
  EXPECT_THAT(offered("unit_step", windows("i * m + j")), IsEmpty());
}

TEST(UnitStep, LeavesNumbersAndFactorsThatChange) {
  EXPECT_THAT(offered("unit_step", windows("i * 2 + j")), IsEmpty());
  EXPECT_THAT(offered("unit_step", windows("i * step + j", "    ++step;\n")), IsEmpty());
  EXPECT_THAT(offered("unit_step", windows("i * step + j", "    step = 2;\n")), IsEmpty());
  EXPECT_THAT(offered("unit_step", windows("i * step + j", "    change(&step);\n")), IsEmpty());
}

TEST(UnitStep, KeepsMembersOfTheSameName) {
  const std::string edited =
      first_edit("unit_step", windows("i * step + j", "    s.step = step;\n"));
  EXPECT_THAT(edited, HasSubstr("s.step = 1;"));
  EXPECT_THAT(edited, Not(HasSubstr("s.1")));
}

}  // namespace
}  // namespace robust_kbench
