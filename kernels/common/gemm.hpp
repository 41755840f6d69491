#pragma once

#include <algorithm>
#include <cstdint>

#include "parallel.hpp"
#include "tile.hpp"

// c = a b for matrices of any strides, in float32.
namespace kernels {

// Element (i, j) of a matrix lies at data[i * row + j * column].
struct Matrix {
  const float* data;
  int64_t row;
  int64_t column;
};

// Eight by eight floats, rows `from_row` apart, turned over their diagonal into rows of a panel.
KERNELS_INLINE void transpose_block(const float* from, int64_t from_row, float* to,
                                    int64_t to_row) {
  Vec r[8];
  Vec s[8];
  for (int i = 0; i < 8; ++i) r[i] = load(from + i * from_row);
  for (int i = 0; i < 8; i += 2) {
    s[i] = __builtin_shufflevector(r[i], r[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    s[i + 1] = __builtin_shufflevector(r[i], r[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int i = 0; i < 8; i += 4) {
    for (int j = 0; j < 2; ++j) {
      r[i + j] = __builtin_shufflevector(s[i + j], s[i + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      r[i + j + 2] = __builtin_shufflevector(s[i + j], s[i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  }
  for (int i = 0; i < 4; ++i) {
    store(to + i * to_row, __builtin_shufflevector(r[i], r[i + 4], 0, 1, 2, 3, 8, 9, 10, 11));
    store(to + (i + 4) * to_row,
          __builtin_shufflevector(r[i], r[i + 4], 4, 5, 6, 7, 12, 13, 14, 15));
  }
}

// A product to be computed in pieces: blocks of rows by panels of 16 columns. One thread computes a
// piece over the whole depth, so pieces are independent, and several products can share one
// parallel region. Within a piece, a block of b up to 384 deep is packed once, in rows of 64 bytes.
// It stays in the first-level cache while all rows of a pass by. If b has unit column stride and
// there are few rows, it is read in place.
class Product {
 public:
  Product(Matrix a, Matrix b, float* c, int64_t rows, int64_t columns, int64_t depth)
      : m_a(a), m_b(b), m_c(c), m_rows(rows), m_columns(columns), m_depth(depth) {}

  int64_t pieces() const { return blocks() * panels(); }
  double work() const { return 2.0 * m_rows * m_columns * m_depth; }

  // Computes pieces [begin, end); epilogue(i, j, c, count) finishes the elements c of row i from
  // column j on.
  template <class Epilogue>
  void run(Range range, const Epilogue& epilogue) const {
    alignas(64) float packed[kMostDepth * kTileColumns];
    alignas(64) float edge[kTileRows * kTileColumns];
    for (int64_t piece = range.begin; piece < range.end; ++piece) {
      const int64_t first = piece / panels() * m_block_rows;
      const int64_t last = std::min(first + m_block_rows, m_rows);
      const int64_t column = piece % panels() * kTileColumns;
      const int64_t width = std::min(kTileColumns, m_columns - column);
      const bool in_place =
          m_b.column == 1 && width == kTileColumns && last - first <= kInPlaceRows;
      for (int64_t p = 0; p < m_depth || p == 0; p += m_block_depth) {
        const int64_t depth = std::min(m_block_depth, m_depth - p);
        const float* b = m_b.data + p * m_b.row + column * m_b.column;
        const int64_t b_row = in_place ? m_b.row : kTileColumns;
        if (!in_place) {
          pack(b, depth, width, packed);
          b = packed;
        }
        const StridedRows row_of_b{b, b_row};
        for (int64_t i = first; i < last; i += kTileRows) {
          const int64_t rows = std::min(kTileRows, last - i);
          const float* a = m_a.data + i * m_a.row + p * m_a.column;
          float* c = m_c + i * m_columns + column;
          if (width == kTileColumns) {
            multiply_tile<2>(rows, a, m_a.row, m_a.column, row_of_b, depth, c, m_columns, p > 0);
            continue;
          }
          if (width <= kLanes) {
            multiply_tile<1>(rows, a, m_a.row, m_a.column, row_of_b, depth, edge, kTileColumns,
                             false);
          } else {
            multiply_tile<2>(rows, a, m_a.row, m_a.column, row_of_b, depth, edge, kTileColumns,
                             false);
          }
          for (int64_t r = 0; r < rows; ++r) {
            for (int64_t j = 0; j < width; ++j) {
              float& to = c[r * m_columns + j];
              to = edge[r * kTileColumns + j] + (p > 0 ? to : 0.0f);
            }
          }
        }
      }
      for (int64_t i = first; i < last; ++i) {
        epilogue(i, column, m_c + i * m_columns + column, width);
      }
    }
  }

  void run(Range range) const {
    run(range, [](int64_t, int64_t, float*, int64_t) {});
  }

 private:
  static constexpr int64_t kMostRows = 48 * kTileRows;  // packing costs 1/48 of what it serves
  static constexpr int64_t kInPlaceRows = 4 * kTileRows;

  int64_t blocks() const { return (m_rows + m_block_rows - 1) / m_block_rows; }
  int64_t panels() const { return (m_columns + kTileColumns - 1) / kTileColumns; }

  // `depth` rows of b, each 16 wide, zeros beyond `width`.
  void pack(const float* b, int64_t depth, int64_t width, float* packed) const {
    if (m_b.column == 1) {
      for (int64_t p = 0; p < depth; ++p) {
        const float* from = b + p * m_b.row;
        float* to = packed + p * kTileColumns;
        if (width == kTileColumns) {
          store(to, load(from));
          store(to + kLanes, load(from + kLanes));
        } else {
          for (int64_t j = 0; j < kTileColumns; ++j) to[j] = j < width ? from[j] : 0.0f;
        }
      }
      return;
    }
    int64_t p = 0;
    if (m_b.row == 1 && width == kTileColumns) {
      for (; p + kLanes <= depth; p += kLanes) {
        for (int64_t j = 0; j < kTileColumns; j += kLanes) {
          transpose_block(b + p + j * m_b.column, m_b.column, packed + p * kTileColumns + j,
                          kTileColumns);
        }
      }
    }
    for (; p < depth; ++p) {
      for (int64_t j = 0; j < kTileColumns; ++j) {
        packed[p * kTileColumns + j] = j < width ? b[p * m_b.row + j * m_b.column] : 0.0f;
      }
    }
  }

  Matrix m_a;
  Matrix m_b;
  float* m_c;
  int64_t m_rows;
  int64_t m_columns;
  int64_t m_depth;
  int64_t m_block_rows = even_block(m_rows, kMostRows, kTileRows);
  int64_t m_block_depth = even_block(m_depth, kMostDepth, kLanes);
};

}  // namespace kernels
