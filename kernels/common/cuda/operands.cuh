#pragma once

#include <cstdint>

#include "check.cuh"
#include "pipeline.cuh"
#include "tensor_core.cuh"

// The operands of a matrix product and how a block copies their tiles to shared memory. A loader
// works out its thread's addresses once. Each stage then takes an addition and a copy for each 16
// bytes. Only the last stage of an unaligned depth, and operands that 16-byte accesses cannot read,
// go slower.
namespace kernels {

constexpr int kBlockThreads = 256;

// Loads rows that are contiguous in k. Row `r` of the tile that begins at `first` is at matrix(r) +
// offset(first, r) of the operand. matrix(r) may depend on r % 32 only.
template <class Operand, int kRows>
class RowLoader {
 public:
  using Tile = RowTile<kRows>;

  __device__ RowLoader(const Operand& operand, int first_row)
      : m_operand(operand), m_matrix(operand.matrix(row(0))), m_first_row(first_row) {
#pragma unroll
    for (int step = 0; step < kSteps; ++step) {
      m_offsets[step] = operand.offset(first_row, row(step)) + chunk() * 4;
    }
  }

  // Starts the copies of k .. k + 31; from k_end on there are zeros.
  __device__ void operator()(float* tile, int k, int k_end) const {
    float* to = tile + Tile::index(row(0), chunk());
    if (m_operand.aligned && k + kDepth <= k_end) {
#pragma unroll
      for (int step = 0; step < kSteps; ++step) {
        copy_async<16>(to + step * kStep * kDepth, m_matrix + k + m_offsets[step], 16);
      }
    } else {
#pragma unroll 1
      for (int step = 0; step < kSteps; ++step) {
        const int64_t offset = m_operand.offset(m_first_row, row(step));
        copy_four(to + step * kStep * kDepth, m_matrix + offset, k + chunk() * 4, k_end,
                  m_operand.aligned);
      }
    }
  }

 private:
  static constexpr int kStep =
      kBlockThreads / (kDepth / 4);  // rows; keeps a chunk's place in its row
  static constexpr int kSteps = kRows / kStep;
  static_assert(kStep == 32);

  static __device__ int chunk() {
    return threadIdx.x % (kDepth / 4);
  }
  static __device__ int row(int step) {
    return threadIdx.x / (kDepth / 4) + step * kStep;
  }

  const Operand& m_operand;
  const float* m_matrix;
  const int m_first_row;
  uint32_t m_offsets[kSteps];
};

// Element (row, k) at data[row * stride + k].
struct RowOperand {
  template <int kRows>
  using Loader = RowLoader<RowOperand, kRows>;

  const float* data;
  int stride;
  int rows;
  bool aligned;

  RowOperand(const float* data_, int stride_, int rows_)
      : data(data_), stride(stride_), rows(rows_), aligned(allows_float4(data_, stride_)) {
    TORCH_CHECK(static_cast<int64_t>(rows) * stride < UINT32_MAX, "a matrix of ", rows, " x ",
                stride, " elements is too large");
  }

  __device__ const float* matrix(int) const { return data; }
  // Rows past the end read the last row again, and their results are never stored.
  __device__ uint32_t offset(int first, int row) const {
    return static_cast<uint32_t>(min(first + row, rows - 1)) * stride;
  }
};

// Contiguous in the row's number.
template <class Operand, int kRows>
class ColumnLoader {
 public:
  using Tile = ColumnTile<kRows>;

  __device__ ColumnLoader(const Operand& operand, int first_row)
      : m_operand(operand), m_valid(min(max(operand.rows - first_row - 4 * chunk(), 0), 4)) {
    m_row = m_valid > 0 ? first_row + 4 * chunk() : 0;
  }

  __device__ void operator()(float* tile, int k, int k_end) const {
    const int first = threadIdx.x / kChunks;
    const float* from = m_operand.data + static_cast<int64_t>(k + first) * m_operand.stride + m_row;
    float* to = tile + first * Tile::kStride + 4 * chunk();
    if (m_operand.aligned && k + kDepth <= k_end) {
#pragma unroll
      for (int step = 0; step < kDepth; step += kStep) {
        copy_async<16>(to + step * Tile::kStride,
                       from + static_cast<int64_t>(step) * m_operand.stride, 4 * m_valid);
      }
    } else {
#pragma unroll 1
      for (int step = 0; step < kDepth; step += kStep) {
        const bool inside = k + first + step < k_end;
        copy_four(to + step * Tile::kStride,
                  inside ? from + static_cast<int64_t>(step) * m_operand.stride : m_operand.data, 0,
                  inside ? m_valid : 0, m_operand.aligned);
      }
    }
  }

 private:
  static constexpr int kChunks = kRows / 4;
  static constexpr int kStep = kBlockThreads / kChunks;

  static __device__ int chunk() {
    return threadIdx.x % kChunks;
  }

  const Operand& m_operand;
  const int m_valid;
  int m_row;
};

// Element (row, k) at data[k * stride + row].
struct ColumnOperand {
  template <int kRows>
  using Loader = ColumnLoader<ColumnOperand, kRows>;

  const float* data;
  int stride;
  int rows;
  bool aligned;

  ColumnOperand(const float* data_, int stride_, int rows_)
      : data(data_), stride(stride_), rows(rows_), aligned(allows_float4(data_, stride_)) {}
};

}  // namespace kernels
