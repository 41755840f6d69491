#pragma once

#include <cstdint>

#include "check.cuh"
#include "operands.cuh"
#include "pipeline.cuh"
#include "tensor_core.cuh"

// Matrix products in float32 precision on the tensor cores, for operands of either layout and any
// size:
//   result(m, n) = sum over k of a(m, k) b(n, k).
// A block of eight warps makes 128 x 64. Two such blocks on a multiprocessor hide each other's
// waiting. kTerms is that of tensor_core.cuh.
namespace kernels {

constexpr int kGemmRows = 128;
constexpr int kGemmColumns = 64;
constexpr int kGemmSlots = 4;

// finish(sums, row, column, slice) takes a warp's 32 x 32 of the result.
template <int kTerms, class A, class B, class Finish>
__global__ void __launch_bounds__(kBlockThreads, 2)
    gemm_kernel(A a, B b, Finish finish, int depth, int slice_depth) {
  using TileA = typename A::template Loader<kGemmRows>::Tile;
  using TileB = typename B::template Loader<kGemmColumns>::Tile;
  constexpr int kSlotSize = TileA::kSize + TileB::kSize;
  extern __shared__ __align__(128) float slots[];

  const int row = blockIdx.x * kGemmRows;
  const int column = blockIdx.y * kGemmColumns;
  const int k_begin = blockIdx.z * slice_depth;
  const int k_end = min(depth, k_begin + slice_depth);
  const int warp_row = threadIdx.x / 64 * 32;
  const int warp_column = threadIdx.x / 32 % 2 * 32;

  const typename A::template Loader<kGemmRows> load_a(a, row);
  const typename B::template Loader<kGemmColumns> load_b(b, column);
  WarpSums<2, 4> sums = {};
  pipeline<kGemmSlots>(
      ceil_div(max(k_end - k_begin, 0), kDepth),
      [&](int slot, int i) {
        float* to = slots + slot * kSlotSize;
        load_a(to, k_begin + i * kDepth, k_end);
        load_b(to + TileA::kSize, k_begin + i * kDepth, k_end);
      },
      [&](int slot, int) {
        const float* from = slots + slot * kSlotSize;
        multiply_stage<TileA, TileB, kTerms>(from, from + TileA::kSize, warp_row, warp_column,
                                             sums);
      });
  finish(sums, row + warp_row, column + warp_column, blockIdx.z);
}

// Stores the results of most products: out = sums (+ bias). Slices go `slice_size` floats apart.
struct StoreMatrix {
  float* out;
  int rows;
  int columns;
  const float* bias = nullptr;
  int64_t slice_size = 0;

  __device__ float bias_of(int column) const {
    return bias != nullptr && column < columns ? bias[column] : 0.0f;
  }

  __device__ void operator()(WarpSums<2, 4>& sums, int row, int column, int slice) const {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int n = column + 8 * j + threadIdx.x % 4 * 2;
      const float add[2] = {bias_of(n), bias_of(n + 1)};
#pragma unroll
      for (int i = 0; i < 2; ++i) {
#pragma unroll
        for (int e = 0; e < 4; ++e) sums[i][j][e] += add[e % 2];
      }
    }
    float* to = out + slice * slice_size;
    const bool pairs = columns % 2 == 0;
    for_each_pair<2, 4>(sums, row, column, [&](int m, int n, float first, float second) {
      if (m >= rows || n >= columns) return;
      float* at = to + static_cast<int64_t>(m) * columns + n;
      if (pairs) {
        *reinterpret_cast<float2*>(at) = make_float2(first, second);
      } else {
        at[0] = first;
        if (n + 1 < columns) at[1] = second;
      }
    });
  }
};

template <int kTerms = kDepth, class A, class B, class Finish>
void gemm(const A& a, const B& b, const Finish& finish, int rows, int columns, int depth,
          int slices, cudaStream_t stream) {
  using TileA = typename A::template Loader<kGemmRows>::Tile;
  using TileB = typename B::template Loader<kGemmColumns>::Tile;
  constexpr int kBytes = kGemmSlots * (TileA::kSize + TileB::kSize) * sizeof(float);
  if (rows == 0 || columns == 0) return;
  const auto kernel = gemm_kernel<kTerms, A, B, Finish>;
  C10_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  const dim3 grid(ceil_div(rows, kGemmRows), ceil_div(columns, kGemmColumns), slices);
  const int slice_depth = ceil_div(ceil_div(depth, slices), kDepth) * kDepth;
  kernel<<<grid, kBlockThreads, kBytes, stream>>>(a, b, finish, depth, slice_depth);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

// How many slices of the depth give each of the GPU's multiprocessors two blocks.
inline int slices_for(int64_t rows, int64_t columns, int64_t depth) {
  const int64_t blocks =
      ceil_div<int64_t>(rows, kGemmRows) * ceil_div<int64_t>(columns, kGemmColumns);
  const int64_t wanted = 2 * at::cuda::getCurrentDeviceProperties()->multiProcessorCount / blocks;
  const int64_t most = min(ceil_div<int64_t>(depth, 4 * kDepth), int64_t{256});
  return static_cast<int>(max(int64_t{1}, min(wanted, most)));
}

// Sums `count` rows of `from` into `to`, in a fixed order. A thread adds every kGroups-th row of a
// column, and the block then adds its threads' sums.
template <int kGroups>
__global__ void __launch_bounds__(256)
    sum_rows_kernel(const float* __restrict__ from, int count, StoreMatrix to) {
  constexpr int kColumns = 256 / kGroups;
  __shared__ float sums[kGroups][kColumns];
  const int64_t size = static_cast<int64_t>(to.rows) * to.columns;
  const int64_t column = static_cast<int64_t>(blockIdx.x) * kColumns + threadIdx.x % kColumns;
  const int group = threadIdx.x / kColumns;
  float sum = 0.0f;
  if (column < size) {
#pragma unroll 8
    for (int row = group; row < count; row += kGroups) sum += from[row * size + column];
  }
  sums[group][threadIdx.x % kColumns] = sum;
  __syncthreads();
  if (group != 0 || column >= size) return;
#pragma unroll
  for (int i = 1; i < kGroups; ++i) sum += sums[i][threadIdx.x];
  to.out[column] = sum + to.bias_of(column % to.columns);
}

inline void sum_rows(const float* from, int count, const StoreMatrix& to, cudaStream_t stream) {
  const int64_t size = static_cast<int64_t>(to.rows) * to.columns;
  if (size == 0) return;
  if (count < 16) {
    sum_rows_kernel<1><<<ceil_div<int64_t>(size, 256), 256, 0, stream>>>(from, count, to);
  } else {
    sum_rows_kernel<8><<<ceil_div<int64_t>(size, 32), 256, 0, stream>>>(from, count, to);
  }
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

// Computes the whole product. Where the result is too small to occupy the GPU, the depth is cut
// into slices. A second kernel adds their results, always in the same order.
template <int kTerms = kDepth, class A, class B>
void multiply(const A& a, const B& b, StoreMatrix to, int depth,
              const torch::TensorOptions& options, cudaStream_t stream) {
  const int slices = slices_for(to.rows, to.columns, depth);
  if (slices == 1) {
    gemm<kTerms>(a, b, to, to.rows, to.columns, depth, 1, stream);
    return;
  }
  const int64_t size = static_cast<int64_t>(to.rows) * to.columns;
  torch::Tensor partial = torch::empty({slices * size}, options);
  StoreMatrix part{partial.data_ptr<float>(), to.rows, to.columns};
  part.slice_size = size;
  gemm<kTerms>(a, b, part, to.rows, to.columns, depth, slices, stream);
  sum_rows(part.out, slices, to, stream);
}

}  // namespace kernels
