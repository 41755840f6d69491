#pragma once

#include <cstdint>

#include "tile.hpp"

// Blocks of dot products of rows that lie contiguous in memory.
namespace kernels {

// Rows by columns of a dot tile: 12 accumulators, fed by 7 loads per vector of the depth.
constexpr int64_t kDotRows = 3;
constexpr int64_t kDotColumns = 4;

#ifdef __AVX512F__
KERNELS_INLINE Vec add_halves(Wide v) {
  return __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7) +
         __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
}
#else
KERNELS_INLINE Vec add_halves(Wide v) {
  return v;
}
#endif

// products[i][j] (+)= dot(left(i), right(j)) over `depth`, for Rows by Columns. Unrolled by pragma
// as in multiply_rows.
template <int Rows, int Columns, class Left, class Right>
KERNELS_INLINE void dot_tile(const Left& left, const Right& right, int64_t depth, float* products,
                             int64_t products_row, bool accumulate) {
  const float* a[Rows];
  const float* b[Columns];
  for (int i = 0; i < Rows; ++i) a[i] = left(i);
  for (int j = 0; j < Columns; ++j) b[j] = right(j);
  const auto step = [&](auto& sums, const auto& load_at) __attribute__((always_inline)) {
    decltype(load_at(a[0])) across[Columns];
#pragma GCC unroll 4
    for (int j = 0; j < Columns; ++j) across[j] = load_at(b[j]);
#pragma GCC unroll 4
    for (int i = 0; i < Rows; ++i) {
      const auto down = load_at(a[i]);
#pragma GCC unroll 4
      for (int j = 0; j < Columns; ++j) sums[i][j] += down * across[j];
    }
  };
  Wide wide[Rows][Columns] = {};
  int64_t p = 0;
  for (; p + kWideLanes <= depth; p += kWideLanes) {
    step(wide, [p](const float* row) { return load<Wide>(row + p); });
  }
  Vec sums[Rows][kDotColumns] = {};
#pragma GCC unroll 4
  for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < Columns; ++j) sums[i][j] = add_halves(wide[i][j]);
  }
  for (; p + kLanes <= depth; p += kLanes) {
    step(sums, [p](const float* row) { return load(row + p); });
  }
  const int64_t rest = depth - p;
  if (rest > 0 && depth >= kLanes) {
    step(sums, [rest, depth](const float* row) { return load_last(row + depth, rest, 0.0f); });
  } else if (rest > 0) {
    step(sums, [rest](const float* row) { return load_first(row, rest, 0.0f); });
  }
#pragma GCC unroll 4
  for (int i = 0; i < Rows; ++i) {
    float total[kDotColumns];
    sum4(sums[i][0], sums[i][1], sums[i][2], sums[i][3], total);
    for (int j = 0; j < Columns; ++j) {
      float& to = products[i * products_row + j];
      to = accumulate ? to + total[j] : total[j];
    }
  }
}

template <int Columns, class Left, class Right>
__attribute__((noinline)) void dot_panel(const Left& left, int64_t rows, const Right& right,
                                         int64_t depth, float* products, int64_t products_row,
                                         bool accumulate) {
  for (int64_t i = 0; i < rows; i += kDotRows) {
    const auto a = [&left, i](int64_t index) { return left(i + index); };
    float* to = products + i * products_row;
    switch (rows - i) {
      case 1:
        dot_tile<1, Columns>(a, right, depth, to, products_row, accumulate);
        break;
      case 2:
        dot_tile<2, Columns>(a, right, depth, to, products_row, accumulate);
        break;
      default:
        dot_tile<3, Columns>(a, right, depth, to, products_row, accumulate);
    }
  }
}

// The same for any number of rows and columns, which lie as StridedRows or OffsetRows say.
template <class Left, class Right>
inline void dot_products(const Left& left, int64_t rows, Right right, int64_t columns,
                         int64_t depth, float* products, int64_t products_row, bool accumulate) {
  for (int64_t j = 0; j < columns; j += kDotColumns) {
    float* to = products + j;
    switch (columns - j) {
      case 1:
        dot_panel<1>(left, rows, right, depth, to, products_row, accumulate);
        break;
      case 2:
        dot_panel<2>(left, rows, right, depth, to, products_row, accumulate);
        break;
      case 3:
        dot_panel<3>(left, rows, right, depth, to, products_row, accumulate);
        break;
      default:
        dot_panel<4>(left, rows, right, depth, to, products_row, accumulate);
    }
    right.advance(kDotColumns);
  }
}

}  // namespace kernels
