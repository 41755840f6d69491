#include "tensor/comparison.hpp"

#include <cmath>
#include <limits>

#include "device/cuda_driver.hpp"

#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

at::Tensor floats(std::vector<double> values) {
  return at::tensor(values).to(at::kFloat);
}
at::Tensor doubles(std::vector<double> values) {
  return at::tensor(values);
}

Comparison compare(const Output& output, const at::Tensor& actual, const at::Tensor& expected) {
  return compare(output, own_limits(output), actual, expected);
}

Comparison compare_values(std::vector<double> actual, std::vector<double> expected) {
  return compare({"y"}, floats(std::move(actual)), doubles(std::move(expected)));
}

TEST(Compare, AcceptsWhatIsWithinTheTolerance) {
  const Comparison result = compare_values({1.00001, 100.0009, 0}, {1, 100, 0});
  EXPECT_TRUE(result.equal) << result.message;
  EXPECT_TRUE(result.message.empty());
  EXPECT_NEAR(result.max_abs, 9e-4, 1e-5);
  EXPECT_NEAR(result.max_rel, 1e-5, 1e-6);
}

TEST(Compare, AddsAbsoluteAndRelativeTolerance) {
  const Output output{.name = "y", .tolerance = Tolerance{.atol = 0.5, .rtol = 0.25}};
  EXPECT_TRUE(compare(output, floats({-5.5}), doubles({-4})).equal);
  EXPECT_FALSE(compare(output, floats({-5.625}), doubles({-4})).equal);
}

TEST(Compare, ReportsAsTorchDoes) {
  const at::Tensor expected = doubles({1, 2, 3, 4, 5, 0}).view({2, 3});
  const at::Tensor actual = floats({1, 2, 3.5, 4, 5, 0.25}).view({2, 3});
  EXPECT_EQ(compare({"dx"}, actual, expected).message,
            "Output 'dx' is not close to the reference!\n"
            "\n"
            "Mismatched elements: 2 / 6 (33.3%)\n"
            "Greatest absolute difference: 0.5 at index (0, 2) (up to 1e-05 allowed)\n"
            "Greatest relative difference: 0.16666666666666666 at index (0, 2) (up to 1e-05 "
            "allowed)\n"
            "Largest errors:\n"
            "  at index (0, 2): got 3.5, expected 3\n"
            "  at index (1, 2): got 0.25, expected 0");
}

TEST(Compare, WritesIndicesOfAnyDimensionality) {
  const std::string scalar = compare({"y"}, floats({2}).squeeze(), doubles({1}).squeeze()).message;
  EXPECT_NE(scalar.find("difference: 1 at index () "), std::string::npos) << scalar;
  const std::string vector = compare_values({1, 3}, {1, 2}).message;
  EXPECT_NE(vector.find("difference: 1 at index (1,) "), std::string::npos) << vector;
}

// Eight lanes run side by side and the rest one by one, so an error is tried in every place.
TEST(Compare, FindsOneWrongElementWhereverItIs) {
  for (std::int64_t size = 1; size < 40; ++size) {
    for (std::int64_t place = 0; place < size; ++place) {
      const at::Tensor expected = at::arange(size, at::kDouble);
      const at::Tensor actual = expected.to(at::kFloat);
      actual.mutable_data_ptr<float>()[place] += 0.5F;
      const Comparison result = compare({"y"}, actual, expected);
      EXPECT_FALSE(result.equal) << place << " of " << size;
      EXPECT_EQ(result.max_abs, 0.5);
      EXPECT_NE(result.message.find("at index (" + std::to_string(place) + ",)"),
                std::string::npos);
    }
  }
}

TEST(Compare, WantsNanExactlyWhereTheReferenceHasIt) {
  EXPECT_TRUE(compare_values({1, nan}, {1, nan}).equal);
  EXPECT_EQ(compare_values({1, nan}, {1, 2}).message,
            "Output 'y' is not close to the reference!\n"
            "\n"
            "Mismatched elements: 1 / 2 (50.0%)\n"
            "NaN where a number is expected: 1, the first at index (1,) (nan instead of 2)\n"
            "Largest errors:\n"
            "  at index (1,): got nan, expected 2");
  EXPECT_EQ(compare_values({1, 2}, {nan, 2}).message,
            "Output 'y' is not close to the reference!\n"
            "\n"
            "Mismatched elements: 1 / 2 (50.0%)\n"
            "Numbers where NaN is expected: 1, the first at index (0,) (1 instead of nan)\n"
            "Largest errors:\n"
            "  at index (0,): got 1, expected nan");
}

TEST(Compare, WantsInfinitiesOfTheSameSign) {
  EXPECT_TRUE(compare_values({infinity, -infinity}, {infinity, -infinity}).equal);
  EXPECT_FALSE(compare_values({infinity}, {-infinity}).equal);
  EXPECT_FALSE(compare_values({infinity}, {1}).equal);
  EXPECT_FALSE(compare_values({1}, {infinity}).equal);
  EXPECT_FALSE(compare_values({infinity}, {nan}).equal);
  const std::string message = compare_values({infinity}, {-infinity}).message;
  EXPECT_NE(message.find("Infinities where another value is expected: 1, the first at index (0,) "
                         "(inf instead of -inf)"),
            std::string::npos)
      << message;
}

TEST(Compare, MeasuresFiniteElementsOnly) {
  const Comparison result = compare_values({1.5, infinity, nan}, {1, infinity, nan});
  EXPECT_EQ(result.max_abs, 0.5);
  EXPECT_EQ(result.max_rel, 0.5);
}

// Nine elements fill the lanes that run side by side, and one is left over.
TEST(Compare, AddsTheSquaresOfFiniteElements) {
  const SquaredErrors squares =
      compare_values({1.5, infinity, nan, 2, 2, 2, 2, 2, 3}, {1, infinity, nan, 2, 2, 2, 2, 2, 1})
          .squares;
  EXPECT_EQ(squares.elements, 9);
  EXPECT_EQ(squares.errors, 0.25 + 4);
  EXPECT_EQ(squares.references, 2 + 5 * 4);
  EXPECT_DOUBLE_EQ(squares.rms(), std::sqrt(4.25 / 9));
  EXPECT_EQ(compare_values({nan, 1}, {1, 1}).squares.references, 1);
}

TEST(Compare, NamesTheAttributeThatDiffers) {
  const at::Tensor expected = at::zeros({2, 3}, at::kDouble);
  const auto message = [&](const at::Tensor& actual) {
    return compare({"y"}, actual, expected).message;
  };
  EXPECT_EQ(message({}), "Output 'y': expected a tensor, but got None.");
  EXPECT_EQ(message(at::zeros({3, 2})),
            "Output 'y': the values for attribute 'shape' do not match: (3, 2) != (2, 3).");
  EXPECT_EQ(message(at::zeros({2, 3}, at::kHalf)),
            "Output 'y': the values for attribute 'dtype' do not match: torch.float16 != "
            "torch.float32.");
  EXPECT_EQ(message(at::zeros({2, 3}, at::kDouble)),
            "Output 'y': the values for attribute 'dtype' do not match: torch.float64 != "
            "torch.float32.");
  EXPECT_EQ(message(at::zeros({3, 2}).t()),
            "Output 'y': the values for attribute 'stride()' do not match: (1, 2) != (3, 1).");
}

TEST(Compare, IgnoresStridesOfDimensionsOfOne) {
  const at::Tensor actual = at::zeros({1, 3}).as_strided({1, 3}, {17, 1});
  EXPECT_TRUE(compare({"y"}, actual, at::zeros({1, 3}, at::kDouble)).equal);
}

TEST(Compare, AcceptsAnEmptyTensor) {
  EXPECT_TRUE(compare({"y"}, at::zeros({0, 3}), at::zeros({0, 3}, at::kDouble)).equal);
}

TEST(Compare, WantsTheDtypeOfTheOutput) {
  const Output output{.name = "y", .dtype = at::kHalf};
  const at::Tensor expected = at::zeros({2}, at::kDouble);
  EXPECT_TRUE(compare(output, at::zeros({2}, at::kHalf), expected).equal);
  EXPECT_EQ(compare(output, at::zeros({2}), expected).message,
            "Output 'y': the values for attribute 'dtype' do not match: torch.float32 != "
            "torch.float16.");
}

TEST(Compare, WantsIntegersExactly) {
  for (const at::ScalarType dtype : {at::kLong, at::kInt, at::kShort, at::kChar, at::kByte}) {
    const Output output{.name = "i", .dtype = dtype};
    const at::Tensor expected = at::arange(120, dtype);
    EXPECT_TRUE(compare(output, expected.clone(), expected).equal);
    const Comparison result = compare(output, expected.add(expected.eq(77)), expected);
    EXPECT_EQ(result.message,
              "Output 'i' is not close to the reference!\n"
              "\n"
              "Mismatched elements: 1 / 120 (0.8%)\n"
              "Greatest absolute difference: 1 at index (77,) (up to 0 allowed)\n"
              "Greatest relative difference: 0.012987012987012988 at index (77,) (up to 0 "
              "allowed)\n"
              "Largest errors:\n"
              "  at index (77,): got 78, expected 77");
    EXPECT_EQ(result.max_abs, 1);
  }
  const Output mask{.name = "mask", .dtype = at::kBool};
  const at::Tensor expected = at::arange(5).lt(3);
  EXPECT_TRUE(compare(mask, expected.clone(), expected).equal);
  EXPECT_FALSE(compare(mask, at::arange(5).lt(4), expected).equal);
}

TEST(Compare, GivesThreeExamplesOfTheLargestErrors) {
  const Comparison result =
      compare_values({0.1, 9, nan, 7, infinity, 5, 9}, {0.1, 8, 2, 8, infinity, 1, 8});
  using Index = std::vector<std::int64_t>;
  const std::vector<Example> expected{
      {.output = "y", .index = Index{2}, .actual = "nan", .expected = "2"},
      {.output = "y", .index = Index{5}, .actual = "5", .expected = "1"},
      {.output = "y", .index = Index{1}, .actual = "9", .expected = "8"}};  // the first of three
  EXPECT_EQ(result.examples, expected) << result.message;
  EXPECT_EQ(compare_values({0.1}, {0.25}).examples.at(0).actual, "0.1");  // in float32's digits
  EXPECT_TRUE(compare_values({1}, {1}).examples.empty());
  const Comparison scalar = compare({"y"}, floats({2}).squeeze(), doubles({1}).squeeze());
  EXPECT_EQ(scalar.examples.at(0).index, Index{});
}

TEST(Compare, TellsIntegersApartThatAreTheSameDouble) {
  const Output output{.name = "i", .dtype = at::kLong};
  const std::int64_t large = (std::int64_t{1} << 53) + 1;
  const at::Tensor expected = at::full({1}, large, at::kLong);
  EXPECT_TRUE(compare(output, expected.clone(), expected).equal);
  const Comparison result = compare(output, expected.sub(1), expected);
  EXPECT_FALSE(result.equal);
  EXPECT_NE(result.message.find("Mismatched elements: 1 / 1"), std::string::npos) << result.message;
}

struct OwnTolerance {
  at::ScalarType dtype;
  double within;
  double beyond;
};

class CompareDtype : public testing::TestWithParam<OwnTolerance> {};

TEST_P(CompareDtype, HasATolerance) {
  const auto& [dtype, within, beyond] = GetParam();
  const Output output{.name = "y", .dtype = dtype};
  const at::Tensor one = at::full({1}, 1.0, dtype);
  EXPECT_TRUE(compare(output, one, doubles({1.0 + within})).equal);
  EXPECT_FALSE(compare(output, one, doubles({1.0 + beyond})).equal);
  const Output loose{.name = "y", .tolerance = Tolerance{.atol = 1}, .dtype = dtype};
  EXPECT_TRUE(compare(loose, one, doubles({1.0 + beyond})).equal);
}

INSTANTIATE_TEST_SUITE_P(Floating, CompareDtype,
                         testing::Values(OwnTolerance{at::kDouble, 1.9e-7, 2.1e-7},
                                         OwnTolerance{at::kFloat, 1.9e-5, 2.1e-5},
                                         OwnTolerance{at::kHalf, 1.0e-3, 1.1e-3},
                                         OwnTolerance{at::kBFloat16, 1.6e-2, 1.7e-2}));

// The tensors are longer than one piece, and wrong in one place of each piece or in none.
TEST(Compare, SaysTheSameOnAGpu) {
  if (!cuda_facts().missing.empty()) GTEST_SKIP() << cuda_facts().missing;
  constexpr std::int64_t count = 5'000'000;
  const at::Tensor expected = at::arange(count, at::kDouble).mul_(1e-3);
  expected[7] = nan;
  expected[8] = infinity;
  const at::Tensor right = expected.to(at::kFloat);
  for (const auto& [index, value] : {std::pair<std::int64_t, double>{0, 0.0},
                                     {3, 5.0},
                                     {7, 0.0},
                                     {8, -infinity},
                                     {2'500'000, nan},
                                     {count - 1, 5001.0}}) {
    const at::Tensor actual = right.clone();
    actual[index] = value;
    const Comparison here = compare({"y"}, actual, expected);
    const Comparison there = compare({"y"}, actual.cuda(), expected.cuda());
    EXPECT_EQ(there.equal, here.equal) << index;
    EXPECT_EQ(there.examples, here.examples) << index;
    EXPECT_EQ(there.max_abs, here.max_abs) << index;
    EXPECT_EQ(there.max_rel, here.max_rel) << index;
    EXPECT_EQ(there.message, here.message) << index;
    EXPECT_NEAR(there.squares.rms(), here.squares.rms(), 1e-9 * here.squares.rms()) << index;
    EXPECT_NEAR(there.squares.reference_rms(), here.squares.reference_rms(), 1e-6) << index;
  }
}

// Among equally wrong elements the first is reported, whichever piece it is in.
TEST(Compare, SaysTheSameOnAGpuOfAnOutputThatIsWrongEverywhere) {
  if (!cuda_facts().missing.empty()) GTEST_SKIP() << cuda_facts().missing;
  const at::Tensor expected = at::arange(5'000'000, at::kDouble).remainder(1000);
  expected[4'999'998] = infinity;
  const at::Tensor actual = expected.add(1).to(at::kFloat);
  actual[5] = nan;
  actual[4'999'999] = nan;
  actual[4'999'998] = 0;
  const Comparison here = compare({"y"}, actual, expected);
  EXPECT_NE(here.message.find("5000000 / 5000000 (100.0%)"), std::string::npos) << here.message;
  EXPECT_EQ(compare({"y"}, actual.cuda(), expected.cuda()).message, here.message);
}

}  // namespace
}  // namespace robust_kbench
