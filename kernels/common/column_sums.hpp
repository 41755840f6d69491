#pragma once

#include <algorithm>
#include <cstdint>

#include "parallel.hpp"

namespace kernels {

// sums[j] = sum over rows of values[row * columns + j], for j in `range`. Rows are summed in blocks
// of 64 first, so that rounding errors grow with the number of blocks, not of rows.
inline void sum_columns(const float* values, int64_t rows, int64_t columns, Range range,
                        float* sums) {
  constexpr int64_t kBlock = 64;
  constexpr int64_t kWidth = 64;
  for (int64_t j = range.begin; j < range.end; j += kWidth) {
    const int64_t width = std::min(kWidth, range.end - j);
    float total[kWidth] = {};
    for (int64_t first = 0; first < rows; first += kBlock) {
      float block[kWidth] = {};
      for (int64_t i = first; i < std::min(first + kBlock, rows); ++i) {
        const float* row = values + i * columns + j;
        for (int64_t k = 0; k < width; ++k) block[k] += row[k];
      }
      for (int64_t k = 0; k < width; ++k) total[k] += block[k];
    }
    std::copy(total, total + width, sums + j);
  }
}

}  // namespace kernels
