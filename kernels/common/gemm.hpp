#pragma once

#include <algorithm>
#include <cstdint>

#include "pack.hpp"
#include "parallel.hpp"
#include "tile.hpp"

// c = bias + a b for matrices of any strides, in float32.
namespace kernels {

// Rows and columns of a product's register tile. AVX-512 has 32 registers, so 16 of
// them accumulate, twice as many as hide the latency of the multiply-add.
constexpr int64_t kProductRows = kWideLanes > kLanes ? 8 : kTileRows;
constexpr int64_t kProductColumns = 2 * kWideLanes;

// A product to be computed in pieces: tiles of rows, panel of columns by panel. One thread computes
// a piece over the whole depth, so pieces are independent, and several products can share one
// parallel region. The pieces of a panel that a thread does share a block of b, up to 384 deep.
// It is packed once, row by row, and stays in the cache while their rows pass by. Where b has unit
// column stride and few rows, it is read in place.
class Product {
 public:
  // `bias`, if not null, has an element per column.
  Product(Matrix a, Matrix b, float* c, int64_t rows, int64_t columns, int64_t depth,
          const float* bias = nullptr)
      : m_a(a), m_b(b), m_c(c), m_bias(bias), m_rows(rows), m_columns(columns), m_depth(depth) {}

  int64_t pieces() const { return (m_columns + kProductColumns - 1) / kProductColumns * m_tiles; }
  double work() const { return 2.0 * m_rows * m_columns * m_depth; }

  // Computes pieces [begin, end). epilogue(i, j, c, count) finishes the elements c of row i from
  // column j on, while they are in the first-level cache.
  template <class Epilogue>
  void run(Range range, const Epilogue& epilogue) const {
    alignas(64) float packed[kMostDepth * kProductColumns];
    while (range.begin < range.end) {
      const int64_t first = range.begin % m_tiles;
      const int64_t count = std::min({range.end - range.begin, m_tiles - first, m_most_tiles});
      run_tiles(range.begin / m_tiles * kProductColumns, {first, first + count}, packed, epilogue);
      range.begin += count;
    }
  }

  void run(Range range) const {
    run(range, [](int64_t, int64_t, float*, int64_t) {});
  }

 private:
  static constexpr int64_t kInPlaceTiles = 4;

  template <class Epilogue>
  void run_tiles(int64_t column, Range tiles, float* packed, const Epilogue& epilogue) const {
    const int64_t width = std::min(kProductColumns, m_columns - column);
    const bool in_place =
        m_b.column == 1 && width == kProductColumns && tiles.end - tiles.begin <= kInPlaceTiles;
    for (int64_t p = 0; p < m_depth || p == 0; p += m_block_depth) {
      const int64_t depth = std::min(m_block_depth, m_depth - p);
      const Matrix b{m_b.data + p * m_b.row + column * m_b.column, m_b.row, m_b.column};
      if (!in_place) pack(b, depth, width, packed, kProductColumns);
      const StridedRows b_row =
          in_place ? StridedRows{b.data, b.row} : StridedRows{packed, kProductColumns};
      for (int64_t tile = tiles.begin; tile < tiles.end; ++tile) {
        const int64_t end = first_row(tile + 1);
        const float* a = m_a.data + p * m_a.column;
        multiply({first_row(tile), end}, a, b_row, depth, column, width, p > 0);
        if (p + depth < m_depth) continue;
        for (int64_t i = first_row(tile); i < end; ++i) {
          epilogue(i, column, m_c + i * m_columns + column, width);
        }
      }
    }
  }

  // One tile of c, by way of a whole tile beside it where c ends within the last vector.
  void multiply(Range rows, const float* a, const StridedRows& b_row, int64_t depth, int64_t column,
                int64_t width, bool accumulate) const {
    const int64_t count = rows.end - rows.begin;
    a += rows.begin * m_a.row;
    float* c = m_c + rows.begin * m_columns + column;
    const Addend addend =
        accumulate ? Addend{c, m_columns} : Addend{m_bias ? m_bias + column : nullptr, 0};
    if (width == kProductColumns) {
      return multiply_tile<Wide, kProductRows, 2>(count, a, m_a.row, m_a.column, b_row, depth, c,
                                                  m_columns, addend);
    }
    alignas(64) float edge[kProductRows * kProductColumns];
    const auto multiply_edge = width <= kWideLanes
                                   ? multiply_tile<Wide, kProductRows, 1, StridedRows>
                                   : multiply_tile<Wide, kProductRows, 2, StridedRows>;
    multiply_edge(count, a, m_a.row, m_a.column, b_row, depth, edge, kProductColumns, {nullptr, 0});
    for (int64_t i = 0; i < count; ++i) {
      for (int64_t j = 0; j < width; ++j) {
        const float before = addend.data ? addend.data[i * addend.stride + j] : 0.0f;
        c[i * m_columns + j] = edge[i * kProductColumns + j] + before;
      }
    }
  }

  // Tiles are as equally high as can be, so that no sliver is left over.
  int64_t first_row(int64_t tile) const { return m_rows * tile / m_tiles; }

  Matrix m_a;
  Matrix m_b;
  float* m_c;
  const float* m_bias;
  int64_t m_rows;
  int64_t m_columns;
  int64_t m_depth;
  int64_t m_tiles = (m_rows + kProductRows - 1) / kProductRows;
  int64_t m_block_depth = even_block(m_depth, kMostDepth, kLanes);
  // Rows of c that wait for the next block of b stay few enough for the second-level cache.
  int64_t m_most_tiles = m_block_depth < m_depth ? 48 : m_tiles;
};

}  // namespace kernels
