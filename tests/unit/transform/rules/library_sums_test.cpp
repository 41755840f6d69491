#include "rule_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(LibrarySums, AddInLanes) {
  const std::string source =
      "#include <numeric>\n"
      "float f(const float* a, const float* b, long n) {\n"
      "  return std::inner_product(a, a + n, b, 0.0f) + std::accumulate(a, a + n, 0.0f);\n"
      "}\n";
  const auto found = offered("library_sums", source);
  ASSERT_THAT(found, SizeIs(3));
  EXPECT_THAT(found[0].source, AllOf(HasSubstr("return inner_product_in_lanes(a, a + n, b, 0.0f) + "
                                               "accumulate_in_lanes(a, a + n, 0.0f);"),
                                     HasSubstr("#pragma omp simd reduction(+ : sum)\n"
                                               "  for (auto i = count - count; i < count; ++i) "
                                               "sum += first[i] * second[i];"),
                                     HasSubstr("sum += first[i];")));
  EXPECT_THAT(found[1].source, HasSubstr("+ std::accumulate(a, a + n, 0.0f)"));
}

// The last argument is an operation there, which need not be a sum.
TEST(LibrarySums, LeaveOtherOperationsAlone) {
  EXPECT_THAT(offered("library_sums",
                      "float f(const float* a, long n) {\n"
                      "  return std::accumulate(a, a + n, 1.0f, std::multiplies<>()) +\n"
                      "         std::inner_product(a, a + n, a, 0.0f, std::plus<>(), g) +\n"
                      "         other::accumulate(a, a + n, 0.0f);\n"
                      "}\n"),
              IsEmpty());
}

// The algorithm adds in the type of the initial value, so that an integer loses all fractions.
TEST(LibrarySums, NeedARealInitialValue) {
  const auto sum = [](const std::string& initial) {
    return offered("library_sums",
                   "float f(const float* a, long n, float real, int whole) {\n"
                   "  const double other = 0;\n"
                   "  return std::accumulate(a, a + n, " +
                       initial + ");\n}\n");
  };
  for (const char* initial : {"0", "-1", "0L", "0x1e", "'a'", "whole", "unknown", "int(0.5f)",
                              "static_cast<int>(0.5f)", "real * 2", "std::string()"}) {
    EXPECT_THAT(sum(initial), IsEmpty()) << initial;
  }
  for (const char* initial : {"0.0", "-1.f", "1e3", "real", "other", "float(0)", "double{}",
                              "static_cast<double>(whole)"}) {
    EXPECT_THAT(sum(initial), SizeIs(1)) << initial;
  }
}

}  // namespace
}  // namespace robust_kbench
