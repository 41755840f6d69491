#pragma once

#include <cstdint>

// float32 products on the tensor cores. TF32, their format for floats, keeps 11 of a float's 24
// bits, which is far too few for float32 results. So each operand is split into two TF32 numbers, x
// = high + low, and a product becomes three:
//   a b ~ low_a high_b + high_a low_b + high_a high_b
// The error is 8e-8 of the sum, as float32's own, since `high` is the nearest TF32 number. Cut off
// instead, all lows would have the sign of x, and results would be 3e-7 too small. This is three
// times the work, on units that are five times as fast. The tensor core rounds its sums towards
// zero, so a long sum drifts. A sum over kTerms products therefore ends in an ordinary float32
// addition, which rounds to nearest. With 32 terms a result is 2e-7 too small, and three products
// in a row lose 6e-7. With 16 they lose 3e-7, and take 5 % longer (H200).
namespace kernels {

constexpr int kDepth = 32;  // products that a stage of the pipeline holds per result

__device__ inline void split(uint32_t bits, uint32_t& high, uint32_t& low) {
  high = (bits + 0x1000u) & 0xffffe000u;
  low = __float_as_uint(__uint_as_float(bits) - __uint_as_float(high));
}

// sum (16 x 8) += a (16 x 8) b (8 x 8).
__device__ inline void multiply_add(float (&sum)[4], const uint32_t (&a)[4], uint32_t b0,
                                    uint32_t b1) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// The side decides which quarter of 16 rows x 8 of an operand goes to which register. Side a takes
// both halves of the rows in neighbouring registers. Side b has two tiles of 8 rows, and takes both
// halves of a tile's depth in neighbouring registers.
enum class Side { a, b };

// Two layouts of kRows rows x kDepth of an operand in shared memory. `fragment` reads 16 rows x 8
// of it, without bank conflicts.

// Rows contiguous in k. The 16-byte chunks of a row change places with the row's number.
template <int kRows>
struct RowTile {
  static constexpr int kSize = kRows * kDepth;

  static __device__ int index(int row, int chunk) {
    return row * kDepth + ((chunk ^ (row & 7)) << 2);
  }

  template <Side side>
  static __device__ void fragment(const float* tile, int row, int k, uint32_t (&to)[4]) {
    const int lane = threadIdx.x % 32;
    const float* from = side == Side::a
                            ? tile + index(row + lane % 16, k / 4 + lane / 16)
                            : tile + index(row + lane % 8 + lane / 16 * 8, k / 4 + lane / 8 % 2);
    const auto address = static_cast<uint32_t>(__cvta_generic_to_shared(from));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(address)
                 : "memory");
  }
};

// Contiguous in the row's number; a step in k is 8 banks further.
template <int kRows>
struct ColumnTile {
  static_assert(kRows % 32 == 0);
  static constexpr int kStride = kRows + 8;
  static constexpr int kSize = kDepth * kStride;

  template <Side side>
  static __device__ void fragment(const float* tile, int row, int k, uint32_t (&to)[4]) {
    const int lane = threadIdx.x % 32;
    const float* from = tile + (k + lane % 4) * kStride + row + lane / 4;
    to[0] = __float_as_uint(from[0]);
    to[side == Side::a ? 1 : 2] = __float_as_uint(from[8]);
    to[side == Side::a ? 2 : 1] = __float_as_uint(from[4 * kStride]);
    to[3] = __float_as_uint(from[4 * kStride + 8]);
  }
};

// A warp's part of a result: kM x kN tiles of 16 x 8. Lane l holds two columns of each tile, l % 4
// * 2 and the next. Elements 0 and 1 are in row l / 4, elements 2 and 3 in row l / 4 + 8.
template <int kM, int kN>
using WarpSums = float[kM][kN][4];

// sums += a b^T over kTerms of a stage from `first` on, for the warp's rows of a from `row_a` and
// of b from `row_b`.
template <class TileA, class TileB, int kTerms, int kM, int kN>
__device__ void multiply_terms(const float* a, const float* b, int row_a, int row_b, int first,
                               WarpSums<kM, kN>& sums) {
  WarpSums<kM, kN> part = {};
#pragma unroll
  for (int k = first; k < first + kTerms; k += 8) {
    uint32_t a_high[kM][4], a_low[kM][4], b_high[kN / 2][4], b_low[kN / 2][4];
#pragma unroll
    for (int i = 0; i < kM; ++i) {
      uint32_t bits[4];
      TileA::template fragment<Side::a>(a, row_a + 16 * i, k, bits);
#pragma unroll
      for (int e = 0; e < 4; ++e) split(bits[e], a_high[i][e], a_low[i][e]);
    }
#pragma unroll
    for (int j = 0; j < kN / 2; ++j) {
      uint32_t bits[4];
      TileB::template fragment<Side::b>(b, row_b + 16 * j, k, bits);
#pragma unroll
      for (int e = 0; e < 4; ++e) split(bits[e], b_high[j][e], b_low[j][e]);
    }
    // Small terms first; kM x kN independent products stand between two that share a sum.
    const auto products = [&](const auto& x, const auto& y) {
#pragma unroll
      for (int i = 0; i < kM; ++i) {
#pragma unroll
        for (int j = 0; j < kN; ++j) {
          multiply_add(part[i][j], x[i], y[j / 2][j % 2 * 2], y[j / 2][j % 2 * 2 + 1]);
        }
      }
    };
    products(a_low, b_high);
    products(a_high, b_low);
    products(a_high, b_high);
  }
#pragma unroll
  for (int i = 0; i < kM; ++i) {
#pragma unroll
    for (int j = 0; j < kN; ++j) {
#pragma unroll
      for (int e = 0; e < 4; ++e) sums[i][j][e] += part[i][j][e];
    }
  }
}

// The same over one stage.
template <class TileA, class TileB, int kTerms = kDepth, int kM, int kN>
__device__ void multiply_stage(const float* a, const float* b, int row_a, int row_b,
                               WarpSums<kM, kN>& sums) {
  static_assert(kN % 2 == 0 && kDepth % kTerms == 0 && kTerms % 8 == 0);
#pragma unroll
  for (int first = 0; first < kDepth; first += kTerms) {
    multiply_terms<TileA, TileB, kTerms>(a, b, row_a, row_b, first, sums);
  }
}

// Calls visit(row, column, value, next) for each pair of neighbours in a warp's part of a result
// that begins at (row, column).
template <int kM, int kN, class Visit>
__device__ void for_each_pair(const WarpSums<kM, kN>& sums, int row, int column,
                              const Visit& visit) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int i = 0; i < kM; ++i) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
#pragma unroll
      for (int j = 0; j < kN; ++j) {
        visit(row + 16 * i + 8 * half + lane / 4, column + 8 * j + lane % 4 * 2,
              sums[i][j][2 * half], sums[i][j][2 * half + 1]);
      }
    }
  }
}

}  // namespace kernels
