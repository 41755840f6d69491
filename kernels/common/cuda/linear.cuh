#pragma once

#include "gemm.cuh"

// The gradients of a linear layer as matrix products on the tensor cores.
namespace kernels {

// Sums of the columns of a slice of rows; 32 columns x 8 rows of threads.
__global__ void column_sums_kernel(const float* from, int rows, int columns, int slice_rows,
                                   float* partial) {
  __shared__ float sums[8][33];
  const int column = blockIdx.x * 32 + threadIdx.x;
  const int end = min(rows, static_cast<int>(blockIdx.y + 1) * slice_rows);
  float sum = 0.0f;
  if (column < columns) {
#pragma unroll 8
    for (int row = blockIdx.y * slice_rows + threadIdx.y; row < end; row += 8) {
      sum += from[static_cast<int64_t>(row) * columns + column];
    }
  }
  sums[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y != 0 || column >= columns) return;
#pragma unroll
  for (int i = 1; i < 8; ++i) sum += sums[i][threadIdx.x];
  partial[static_cast<int64_t>(blockIdx.y) * columns + column] = sum;
}

inline void column_sums(const float* from, int rows, int columns, float* to,
                        const torch::TensorOptions& options, cudaStream_t stream) {
  constexpr int kSliceRows = 128;
  const int slices = max(1, ceil_div(rows, kSliceRows));
  torch::Tensor partial = torch::empty({slices, columns}, options);
  const dim3 grid(ceil_div(columns, 32), slices);
  column_sums_kernel<<<grid, dim3(32, 8), 0, stream>>>(from, rows, columns, kSliceRows,
                                                       partial.data_ptr<float>());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  sum_rows(partial.data_ptr<float>(), slices, {to, 1, columns}, stream);
}

// Computes the gradients of y = x w^T + b, where g is the gradient of y. They are dx = g w, dw =
// g^T x and db = column sums of g.
struct LinearGradients {
  const float* g;
  const float* x;
  const float* w;
  float* dx;
  float* dw;
  float* db;
  int rows;
  int in;
  int out;

  void run(const torch::TensorOptions& options, cudaStream_t stream) const {
    multiply(RowOperand(g, out, rows), ColumnOperand(w, in, in), {dx, rows, in}, out, options,
             stream);
    multiply(ColumnOperand(g, out, out), ColumnOperand(x, in, in), {dw, out, in}, rows, options,
             stream);
    column_sums(g, rows, out, db, options, stream);
  }
};

}  // namespace kernels
