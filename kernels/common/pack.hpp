#pragma once

#include <algorithm>
#include <cstdint>

#include "simd.hpp"

// Blocks of a matrix, laid out row by row as a register tile reads them.
namespace kernels {

// Element (i, j) of a matrix lies at data[i * row + j * column].
struct Matrix {
  const float* data;
  int64_t row;
  int64_t column;
};

// Four floats from `low`, then four from `high`: a load and a load that inserts, no shuffle.
KERNELS_INLINE Vec load_halves(const float* low, const float* high) {
  using Half = float __attribute__((vector_size(16)));
  Half halves[2];
  __builtin_memcpy(&halves[0], low, sizeof(Half));
  __builtin_memcpy(&halves[1], high, sizeof(Half));
  return __builtin_shufflevector(halves[0], halves[1], 0, 1, 2, 3, 4, 5, 6, 7);
}

// Four floats down each of eight columns become four rows of eight, `to_row` apart.
KERNELS_INLINE void transpose_columns(const float* const (&columns)[kLanes], int64_t from,
                                      float* to, int64_t to_row) {
  Vec r[4];
  for (int i = 0; i < 4; ++i) r[i] = load_halves(columns[i] + from, columns[i + 4] + from);
  Vec s[4];
  for (int i = 0; i < 2; ++i) {
    s[i] = __builtin_shufflevector(r[2 * i], r[2 * i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    s[i + 2] = __builtin_shufflevector(r[2 * i], r[2 * i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  for (int i = 0; i < 4; i += 2) {
    store(to + i * to_row, __builtin_shufflevector(s[i], s[i + 1], 0, 1, 8, 9, 4, 5, 12, 13));
    store(to + (i + 1) * to_row,
          __builtin_shufflevector(s[i], s[i + 1], 2, 3, 10, 11, 6, 7, 14, 15));
  }
}

// `packed`, of rows `packed_row` apart, becomes the first `depth` by `width` elements of b. The
// rest of a row's last vector is b's last column again or zeros: multiplied, too, but read by
// nobody.
inline void pack(Matrix b, int64_t depth, int64_t width, float* packed, int64_t packed_row) {
  constexpr int64_t kStep = 4;
  if (b.row != 1 || depth < kStep) {
    for (int64_t p = 0; p < depth; ++p) {
      const float* from = b.data + p * b.row;
      float* to = packed + p * packed_row;
      if (b.column == 1) {
        std::copy(from, from + width, to);
      } else {
        for (int64_t j = 0; j < width; ++j) to[j] = from[j * b.column];
      }
      std::fill(to + width, to + packed_row, 0.0f);
    }
    return;
  }
  const int64_t vectors = (width + kWideLanes - 1) / kWideLanes;
  for (int64_t j = 0; j < vectors * kWideLanes; j += kLanes) {
    const float* columns[kLanes];
    for (int64_t i = 0; i < kLanes; ++i) {
      columns[i] = b.data + std::min(j + i, width - 1) * b.column;
    }
    // The last step overlaps the one before where 4 does not divide the depth.
    for (int64_t p = 0; p < depth; p += kStep) {
      const int64_t from = std::min(p, depth - kStep);
      transpose_columns(columns, from, packed + from * packed_row + j, packed_row);
    }
  }
}

}  // namespace kernels
