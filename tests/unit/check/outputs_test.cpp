#include "check/outputs.hpp"

#include <limits>

#include "filled_arena.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

class Outputs : public testing::Test {
 protected:
  OutputSnapshot take(const ResultValue& result) {
    return snapshot(m_filled.arena, m_filled.placement, m_filled.log(), result);
  }

  FilledArena m_filled;
  std::uint64_t m_y = m_filled.allocate(24);
};

TEST_F(Outputs, AreCopied) {
  auto* y = reinterpret_cast<float*>(m_filled.arena.data() + m_y);
  for (int i = 0; i < 6; ++i) y[i] = static_cast<float>(i);
  const OutputSnapshot taken = take(TensorRef{.offset = m_y, .sizes = {2, 3}, .strides = {3, 1}});
  ASSERT_FALSE(taken.problem) << *taken.problem;
  EXPECT_TRUE(unchanged(m_filled.arena, taken));
  y[4] = -1;
  EXPECT_EQ(taken.tensor.select(0, 1).select(0, 1).item<float>(), 4.0F);
  EXPECT_FALSE(unchanged(m_filled.arena, taken));
}

TEST_F(Outputs, KeepTheirStrides) {
  const OutputSnapshot taken = take(TensorRef{.offset = m_y, .sizes = {3, 2}, .strides = {1, 3}});
  ASSERT_TRUE(taken.tensor.defined());
  EXPECT_EQ(taken.tensor.stride(1), 3);
  EXPECT_FALSE(taken.tensor.is_contiguous());
}

TEST_F(Outputs, MayBeNone) {
  const OutputSnapshot taken = take(None{});
  EXPECT_FALSE(taken.problem);
  EXPECT_FALSE(taken.tensor.defined());
}

TEST_F(Outputs, MayBeEmptyWhereverTheyPoint) {
  const OutputSnapshot taken =
      take(TensorRef{.offset = ~std::uint64_t{0}, .sizes = {0, 3}, .strides = {3, 1}});
  ASSERT_FALSE(taken.problem) << *taken.problem;
  EXPECT_EQ(taken.tensor.numel(), 0);
}

TEST_F(Outputs, KnowAnInputsMemory) {
  const TensorRef x{.offset = m_filled.x().offset, .sizes = {4, 5}, .strides = {5, 1}};
  EXPECT_TRUE(take(x).aliases_input);
  EXPECT_FALSE(take(TensorRef{.offset = m_y, .sizes = {6}, .strides = {1}}).aliases_input);
}

TEST_F(Outputs, OutsideOfGivenMemoryAreUnusable) {
  constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
  const TensorRef good{.offset = m_y, .sizes = {6}, .strides = {1}};
  ASSERT_FALSE(take(good).problem);
  const auto bad = [&](auto edit) {
    TensorRef ref = good;
    edit(ref);
    return take(ref).problem.has_value();
  };
  EXPECT_TRUE(bad([](TensorRef& r) { r.sizes = {7}; }));
  EXPECT_TRUE(bad([](TensorRef& r) { r.offset += 4; }));
  EXPECT_TRUE(bad([](TensorRef& r) { r.offset = 0; }));
  EXPECT_TRUE(bad([](TensorRef& r) { r.offset = ~std::uint64_t{0}; }));
  EXPECT_TRUE(bad([](TensorRef& r) { r.dtype = 7; }));
  EXPECT_TRUE(bad([](TensorRef& r) { r.dtype = 99; }));
  EXPECT_TRUE(bad([](TensorRef& r) { r.device_type = 1; }));
  EXPECT_TRUE(bad([](TensorRef& r) { r.sizes = {-6}; }));
  EXPECT_TRUE(bad([](TensorRef& r) { r.strides = {-1}; }));
  EXPECT_TRUE(bad([](TensorRef& r) { r.strides = {greatest}; }));
  EXPECT_TRUE(bad([](TensorRef& r) {
    r.sizes = {greatest, greatest};
    r.strides = {0, 0};
  }));
}

TEST_F(Outputs, ThatAreNumbersAreUnusable) {
  EXPECT_TRUE(take(1.5).problem);
  EXPECT_TRUE(take(true).problem);
}

}  // namespace
}  // namespace robust_kbench
