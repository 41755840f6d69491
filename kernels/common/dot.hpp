#pragma once

#include <cstdint>
#include <type_traits>

#include "simd.hpp"

// Blocks of dot products of rows that lie contiguous in memory.
namespace kernels {

// Rows by columns of a dot tile: 12 accumulators, fed by 7 loads per eight of the depth.
constexpr int64_t kDotRows = 3;
constexpr int64_t kDotColumns = 4;

// The last `count` < 8 of the floats that end at `end`, zeros before them. Reads 8 where the row is
// that long: what precedes them has been summed already and is masked, not multiplied by 0.
KERNELS_INLINE Vec load_last(const float* end, int64_t count, bool long_enough) {
  if (!long_enough) return load_first(end - count, count, 0.0f);
  constexpr Mask kLane = {0, 1, 2, 3, 4, 5, 6, 7};
  const Mask keep = kLane >= static_cast<int32_t>(kLanes - count);
  return reinterpret_cast<Vec>(reinterpret_cast<Mask>(load(end - kLanes)) & keep);
}

// products[i][j] (+)= dot(left(i), right(j)) over `depth`, for Rows by Columns.
template <int Rows, int Columns, class Left, class Right>
KERNELS_INLINE void dot_tile(const Left& left, const Right& right, int64_t depth, float* products,
                             int64_t products_row, bool accumulate) {
  Vec sums[Rows][kDotColumns] = {};
  const float* a[Rows];
  const float* b[Columns];
  for (int i = 0; i < Rows; ++i) a[i] = left(i);
  for (int j = 0; j < Columns; ++j) b[j] = right(j);
  const auto step = [&](const auto& load_at) __attribute__((always_inline)) {
    Vec across[Columns];
    for (int j = 0; j < Columns; ++j) across[j] = load_at(b[j]);
    for (int i = 0; i < Rows; ++i) {
      const Vec down = load_at(a[i]);
      for (int j = 0; j < Columns; ++j) sums[i][j] += down * across[j];
    }
  };
  int64_t p = 0;
  for (; p + kLanes <= depth; p += kLanes) step([p](const float* row) { return load(row + p); });
  if (p < depth) {
    step([p, depth](const float* row) {
      return load_last(row + depth, depth - p, depth >= kLanes);
    });
  }
  for (int i = 0; i < Rows; ++i) {
    float total[kDotColumns];
    sum4(sums[i][0], sums[i][1], sums[i][2], sums[i][3], total);
    for (int j = 0; j < Columns; ++j) {
      float& to = products[i * products_row + j];
      to = accumulate ? to + total[j] : total[j];
    }
  }
}

// The same for any number of rows and columns.
template <class Left, class Right>
inline void dot_products(const Left& left, int64_t rows, const Right& right, int64_t columns,
                         int64_t depth, float* products, int64_t products_row, bool accumulate) {
  const auto down_the_rows = [&](auto width, int64_t j) {
    constexpr int kColumns = decltype(width)::value;
    const auto b = [&right, j](int64_t index) { return right(j + index); };
    for (int64_t i = 0; i < rows; i += kDotRows) {
      const auto a = [&left, i](int64_t index) { return left(i + index); };
      float* to = products + i * products_row + j;
      switch (rows - i) {
        case 1:
          dot_tile<1, kColumns>(a, b, depth, to, products_row, accumulate);
          break;
        case 2:
          dot_tile<2, kColumns>(a, b, depth, to, products_row, accumulate);
          break;
        default:
          dot_tile<3, kColumns>(a, b, depth, to, products_row, accumulate);
      }
    }
  };
  for (int64_t j = 0; j < columns; j += kDotColumns) {
    switch (columns - j) {
      case 1:
        down_the_rows(std::integral_constant<int, 1>{}, j);
        break;
      case 2:
        down_the_rows(std::integral_constant<int, 2>{}, j);
        break;
      case 3:
        down_the_rows(std::integral_constant<int, 3>{}, j);
        break;
      default:
        down_the_rows(std::integral_constant<int, 4>{}, j);
    }
  }
}

}  // namespace kernels
