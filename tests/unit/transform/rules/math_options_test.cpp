#include "rule_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

TEST(MathOptions, OffersWhatKeepsNanBeforeFastMath) {
  const auto found = offered("math_options", "int a;\n");
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_THAT(found[0].source, StartsWith("// options: -fno-math-errno -fno-trapping-math"));
  EXPECT_THAT(found[1].source, StartsWith("// options: -ffast-math  // tune: "));
  EXPECT_THAT(found[0].source, EndsWith("none\nint a;\n"));
}

TEST(MathOptions, DeclaresFunctionsForVectors) {
  const std::string edited = first_edit(
      "math_options", "#include <cmath>\nfloat f(float x) { return std::exp(x) + sqrt(x); }\n");
  EXPECT_THAT(edited, HasSubstr("#pragma omp declare simd notinbranch\nfloat expf(float)"));
  EXPECT_THAT(edited, Not(HasSubstr("sqrtf")));
}

TEST(MathOptions, LeavesTheOptionsOfASourceAlone) {
  EXPECT_THAT(offered("math_options", "// options: -O2\nint a;\n"), IsEmpty());
}

}  // namespace
}  // namespace robust_kbench
