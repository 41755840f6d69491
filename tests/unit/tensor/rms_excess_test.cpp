#include "tensor/rms_excess.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// The squared errors of an output whose elements are `size`, each off by `error`.
SquaredErrors ones(double error, std::int64_t elements = min_judged_elements, double size = 1) {
  const auto count = static_cast<double>(elements);
  return {.elements = elements, .errors = count * error * error, .references = count * size * size};
}

constexpr RmsLimit of_long_sum{.most = 2.5e-6, .float32 = 1e-6, .output = 1, .terms = 4096};

TEST(RmsExcess, AllowsWhatIsWithinTheLimit) {
  EXPECT_EQ(rms_excess("y", of_long_sum, ones(2.4e-6)), "");
}

TEST(RmsExcess, SaysHowOftenFloat32sErrorIsExceeded) {
  EXPECT_EQ(rms_excess("y", of_long_sum, ones(2.9e-4)),
            "Output 'y' is less precise than float32!\n"
            "\n"
            "Root mean square of the errors of 4096 elements: 0.00029, 290 times that of float32 "
            "(1e-06); up to 2.5e-06 is allowed\n"
            "This is typical of numbers rounded to TF32, float16 or bfloat16.");
}

TEST(RmsExcess, NamesSumsLeftToATensorCore) {
  EXPECT_THAT(rms_excess("y", of_long_sum, ones(3.8e-5)), HasSubstr("sums left to a tensor core"));
  RmsLimit no_sum = of_long_sum;
  no_sum.terms = 1;
  EXPECT_THAT(rms_excess("y", no_sum, ones(3.8e-5)), Not(HasSubstr("tensor core")));
}

TEST(RmsExcess, LeavesFewElementsAlone) {
  EXPECT_EQ(rms_excess("y", of_long_sum, ones(1, min_judged_elements - 1)), "");
  EXPECT_THAT(rms_excess("y", of_long_sum, ones(1, 10), min_judged_calls), Not(IsEmpty()));
  EXPECT_EQ(rms_excess("y", of_long_sum, {}, min_judged_calls), "");
  SquaredErrors over_calls = ones(1, min_judged_elements - 1);
  over_calls += ones(1, 1);
  EXPECT_THAT(rms_excess("y", of_long_sum, over_calls), Not(IsEmpty()));
}

// The incoming gradient of a loss is one number, and all errors are proportional to it.
TEST(RmsExcess, AllowsMoreWhereOutputsAreLargerThanUsual) {
  EXPECT_EQ(rms_excess("y", of_long_sum, ones(9e-6, min_judged_elements, 4)), "");
  EXPECT_THAT(rms_excess("y", of_long_sum, ones(11e-6, min_judged_elements, 4)),
              HasSubstr("2.75 times that of float32 (4e-06); up to 1e-05"));
  EXPECT_THAT(rms_excess("y", of_long_sum, ones(3e-6, min_judged_elements, 0.1)), Not(IsEmpty()));
}

TEST(RmsExcess, KnowsOutputsThatAreExact) {
  const RmsLimit exact{.most = 5e-7, .float32 = 0, .output = 1, .terms = 1};
  EXPECT_EQ(rms_excess("y", exact, ones(4e-7)), "");
  EXPECT_THAT(rms_excess("y", exact, ones(1e-6)), HasSubstr("float32 is exact"));
}

TEST(RmsExcess, WantsZerosWhereAllDrawsAreZerosButJudgesNoOtherOutputByThem) {
  const RmsLimit zero{.most = 0, .float32 = 0, .output = 0, .terms = 1};
  EXPECT_EQ(rms_excess("y", zero, ones(0, min_judged_elements, 0)), "");
  EXPECT_THAT(rms_excess("y", zero, ones(1e-6, min_judged_elements, 0)),
              HasSubstr("float32 is exact"));
  EXPECT_EQ(rms_excess("y", zero, ones(1e-6)), "");
}

}  // namespace
}  // namespace robust_kbench
