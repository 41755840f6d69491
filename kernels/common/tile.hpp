#pragma once

#include "simd.hpp"

// The register tile under every matrix product and convolution of this folder.
namespace kernels {

// A tile is six rows by two vectors. Its 12 accumulators, 2 vectors of b and 1 of a fill 15 of the
// 16 registers of AVX2. The 12 independent sums hide the latency of the multiply-add.
constexpr int64_t kTileRows = 6;
constexpr int64_t kTileColumns = 2 * kLanes;

// float32 sums longer than this go through memory, since partial sums keep rounding errors small. A
// block of b of this depth (24 KiB) stays in the first-level cache.
constexpr int64_t kMostDepth = 384;

// Returns the size of a block when `count` is split into as few blocks of at most `most` as
// possible. Sizes are multiples of `unit` and as equal as these can be, so that no sliver is left
// over.
inline int64_t even_block(int64_t count, int64_t most, int64_t unit) {
  const int64_t blocks = count <= most ? 1 : (count + most - 1) / most;
  const int64_t units = (count + blocks * unit - 1) / (blocks * unit);
  return units > 0 ? units * unit : unit;
}

// Says where the rows of an operand lie: at a stride, as in a matrix, or at offsets from a table.
// These are named types, so that all kernels of a file share one instance of a tile.
struct StridedRows {
  const float* base;
  int64_t stride;

  const float* operator()(int64_t index) const { return base + index * stride; }
  void advance(int64_t rows) { base += rows * stride; }
};

struct OffsetRows {
  const float* base;
  const int64_t* offsets;

  const float* operator()(int64_t index) const { return base + offsets[index]; }
  void advance(int64_t rows) { offsets += rows; }
};

// Added to a product: nothing where `data` is null, else rows at a stride. The stride is 0 for a
// bias that all rows share.
struct Addend {
  const float* data;
  int64_t stride;
};

// c[i][j] = addend[i][j] + sum over p of a[i * a_row + p * a_step] * b_row(p)[j], for Rows rows of
// Vecs vectors V. GCC would keep `sums` in memory around the loop, were the others not unrolled.
template <class V, int Rows, int Vecs, class BRow>
KERNELS_INLINE void multiply_rows(const float* a, int64_t a_row, int64_t a_step, const BRow& b_row,
                                  int64_t depth, float* c, int64_t c_row, Addend addend) {
  constexpr int64_t kWidth = sizeof(V) / sizeof(float);
  V sums[Rows][Vecs] = {};
  for (int64_t p = 0; p < depth; ++p) {
    const float* b = b_row(p);
    V right[Vecs];
#pragma GCC unroll 16
    for (int v = 0; v < Vecs; ++v) right[v] = load<V>(b + v * kWidth);
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i) {
      const float left = a[i * a_row + p * a_step];
#pragma GCC unroll 16
      for (int v = 0; v < Vecs; ++v) sums[i][v] += left * right[v];
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 16
    for (int v = 0; v < Vecs; ++v) {
      if (addend.data) sums[i][v] += load<V>(addend.data + i * addend.stride + v * kWidth);
      store(c + i * c_row + v * kWidth, sums[i][v]);
    }
  }
}

// The same for 1 to Rows rows, known at run time only.
template <class V, int Rows, int Vecs, class... Operands>
KERNELS_INLINE void multiply_some_rows(int64_t rows, const Operands&... operands) {
  if constexpr (Rows > 1) {
    if (rows < Rows) return multiply_some_rows<V, Rows - 1, Vecs>(rows, operands...);
  }
  multiply_rows<V, Rows, Vecs>(operands...);
}

template <class V, int Rows, int Vecs, class BRow>
__attribute__((noinline)) void multiply_tile(int64_t rows, const float* a, int64_t a_row,
                                             int64_t a_step, const BRow& b_row, int64_t depth,
                                             float* c, int64_t c_row, Addend addend) {
  multiply_some_rows<V, Rows, Vecs>(rows, a, a_row, a_step, b_row, depth, c, c_row, addend);
}

}  // namespace kernels
