#include "worker/elements.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "worker/tensor.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

template <typename T>
TensorReference row(std::vector<T>& values, int dtype) {
  const auto size = static_cast<std::int64_t>(values.size());
  const std::int64_t stride = 1;
  return TensorReference(
      make_tensor(reinterpret_cast<std::byte*>(values.data()),
                  {.sizes = {&size, 1}, .strides = {&stride, 1}, .dtype = dtype}));
}

std::uint16_t as_16_bits(float value, int dtype) {
  std::vector<float> from{value};
  std::vector<std::uint16_t> to{0};
  copy_elements(*row(to, dtype).get(), *row(from, RKB_FLOAT32).get());
  return to[0];
}

TEST(Elements, RoundToHalfToNearestEven) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(as_16_bits(1.0F, RKB_FLOAT16), 0x3c00);
  EXPECT_EQ(as_16_bits(-2.0F, RKB_FLOAT16), 0xc000);
  EXPECT_EQ(as_16_bits(-0.0F, RKB_FLOAT16), 0x8000);
  EXPECT_EQ(as_16_bits(65504.0F, RKB_FLOAT16), 0x7bff);
  EXPECT_EQ(as_16_bits(65519.9F, RKB_FLOAT16), 0x7bff);
  EXPECT_EQ(as_16_bits(65520.0F, RKB_FLOAT16), 0x7c00);
  EXPECT_EQ(as_16_bits(-infinity, RKB_FLOAT16), 0xfc00);
  EXPECT_EQ(as_16_bits(std::nanf(""), RKB_FLOAT16) & 0x7fff, 0x7e00);
  // Halfway between two neighbours, the even one is taken.
  EXPECT_EQ(as_16_bits(1.0F + std::ldexp(1.0F, -11), RKB_FLOAT16), 0x3c00);
  EXPECT_EQ(as_16_bits(1.0F + 3 * std::ldexp(1.0F, -11), RKB_FLOAT16), 0x3c02);
  // Subnormal numbers.
  EXPECT_EQ(as_16_bits(std::ldexp(1.0F, -24), RKB_FLOAT16), 0x0001);
  EXPECT_EQ(as_16_bits(std::ldexp(1.0F, -25), RKB_FLOAT16), 0x0000);
  EXPECT_EQ(as_16_bits(std::ldexp(3.0F, -25), RKB_FLOAT16), 0x0002);
}

TEST(Elements, RoundToBfloat16ToNearestEven) {
  EXPECT_EQ(as_16_bits(1.0F, RKB_BFLOAT16), 0x3f80);
  EXPECT_EQ(as_16_bits(1.0F + std::ldexp(1.0F, -8), RKB_BFLOAT16), 0x3f80);
  EXPECT_EQ(as_16_bits(1.0F + 3 * std::ldexp(1.0F, -8), RKB_BFLOAT16), 0x3f82);
  EXPECT_EQ(as_16_bits(std::nanf(""), RKB_BFLOAT16) & 0x7fff, 0x7fc0);
}

TEST(Elements, EveryHalfRoundTripsThroughFloat) {
  std::vector<std::uint16_t> halves(1U << 16);
  for (std::size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<std::uint16_t>(i);
  std::vector<float> floats(halves.size());
  std::vector<std::uint16_t> back(halves.size());
  copy_elements(*row(floats, RKB_FLOAT32).get(), *row(halves, RKB_FLOAT16).get());
  copy_elements(*row(back, RKB_FLOAT16).get(), *row(floats, RKB_FLOAT32).get());
  for (std::size_t i = 0; i < halves.size(); ++i) {
    if (std::isnan(floats[i])) continue;
    ASSERT_EQ(back[i], halves[i]) << floats[i];
  }
}

TEST(Elements, FillEveryStridedElementAndNoOther) {
  std::vector<float> values(12, -1.0F);
  const std::array<std::int64_t, 2> sizes{3, 2};
  const std::array<std::int64_t, 2> strides{4, 2};
  const TensorReference view(make_tensor(reinterpret_cast<std::byte*>(values.data()),
                                         {.sizes = sizes, .strides = strides}));
  fill_elements(*view.get(), 5);
  EXPECT_EQ(values, std::vector<float>({5, -1, 5, -1, 5, -1, 5, -1, 5, -1, 5, -1}));
}

TEST(Layout, CountsTheBytesToItsLastElement) {
  const std::array<std::int64_t, 2> sizes{3, 2};
  const std::array<std::int64_t, 2> strides{10, 1};
  EXPECT_EQ(layout_bytes({.sizes = sizes, .strides = strides}), 22 * sizeof(float));
  const std::array<std::int64_t, 2> none{3, 0};
  EXPECT_EQ(layout_bytes({.sizes = none, .strides = strides}), 0U);
  EXPECT_EQ(layout_bytes({.dtype = RKB_FLOAT64}), 8U);
}

TEST(Layout, RefusesImpossibleLayouts) {
  const std::array<std::int64_t, 2> sizes{3, 2};
  const std::array<std::int64_t, 2> backwards{-1, 1};
  const std::array<std::int64_t, 2> huge{INT64_MAX / 4, 1};
  const std::array<std::int64_t, 2> strides{1, 1};
  EXPECT_FALSE(layout_bytes({.sizes = sizes, .strides = backwards}));
  EXPECT_FALSE(layout_bytes({.sizes = backwards, .strides = strides}));
  EXPECT_FALSE(layout_bytes({.sizes = sizes, .strides = huge}));
  EXPECT_FALSE(layout_bytes({.dtype = 9}));
}

}  // namespace
}  // namespace robust_kbench
