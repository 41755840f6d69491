#include "../../common/cuda/check.cuh"
#include "../../common/cuda/pipeline.cuh"
#include "../../common/cuda/reduce.cuh"

// y = relu(x w^T + b) for a few rows. There is little work and a long sum. A block makes 4 x 8
// elements of y, and its warps share the depth. A lane's loads (12 of 16 bytes for 128 products)
// all leave before the first one is needed. So the whole layer costs about one trip to memory. A
// lane then holds 32 sums over its part of the depth. They are added by exchange in five steps. At
// each step a lane gives one half of its sums to its partner, and gets the partner's other half.
// Lane l ends with sum l after 31 shuffles instead of 160.

namespace {

constexpr int kRows = 4;
constexpr int kColumns = 8;
constexpr int kMaxWarps = 13;  // so that two blocks have registers on a multiprocessor
static_assert(kRows * kColumns == 32);

template <int kHalf>
__device__ void sum_by_exchange(float (&sums)[32]) {
  const bool upper = threadIdx.x & kHalf;
#pragma unroll
  for (int i = 0; i < kHalf; ++i) {
    const float given = upper ? sums[i] : sums[i + kHalf];
    const float kept = upper ? sums[i + kHalf] : sums[i];
    sums[i] = kept + __shfl_xor_sync(0xffffffff, given, kHalf);
  }
  if constexpr (kHalf > 1) sum_by_exchange<kHalf / 2>(sums);
}

template <int kWidth>
__global__ void __launch_bounds__(32 * kMaxWarps, 2)
    linear_relu_kernel(const float* __restrict__ x, const float* __restrict__ weights,
                       const float* __restrict__ biases, float* __restrict__ y, int batch, int in,
                       int out) {
  extern __shared__ __align__(16) float staged[];
  __shared__ float partial[kMaxWarps][32];
  const int first_row = blockIdx.y * kRows;
  const int first_column = blockIdx.x * kColumns;
  // Rows past the end are read from the last one and not stored.
  const float* a[kRows];
  const float* b[kColumns];
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    a[i] = x + static_cast<int64_t>(min(first_row + i, batch - 1)) * in;
  }
#pragma unroll
  for (int j = 0; j < kColumns; ++j) {
    b[j] = weights + static_cast<int64_t>(min(first_column + j, out - 1)) * in;
  }

  // A thread's copies are its own: it waits for them and for nobody else.
  float* mine = staged + threadIdx.x * kWidth;
  const int step = blockDim.x * kWidth;
  float sums[32] = {};
  for (int k = threadIdx.x * kWidth; k < in; k += step) {
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      kernels::copy_async<4 * kWidth>(mine + i * step, a[i] + k, 4 * kWidth);
    }
#pragma unroll
    for (int j = 0; j < kColumns; ++j) {
      kernels::copy_async<4 * kWidth>(mine + (kRows + j) * step, b[j] + k, 4 * kWidth);
    }
    kernels::wait_for_copies();
    kernels::Pack<kWidth> left[kRows];
#pragma unroll
    for (int i = 0; i < kRows; ++i) left[i] = kernels::load<kWidth>(mine + i * step);
#pragma unroll
    for (int j = 0; j < kColumns; ++j) {
      const auto right = kernels::load<kWidth>(mine + (kRows + j) * step);
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
#pragma unroll
        for (int e = 0; e < kWidth; ++e) sums[i * kColumns + j] += left[i].at[e] * right.at[e];
      }
    }
  }
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  sum_by_exchange<16>(sums);
  partial[warp][lane] = sums[0];
  __syncthreads();
  if (warp != 0) return;
  const int row = first_row + lane / kColumns;
  const int column = first_column + lane % kColumns;
  if (row >= batch || column >= out) return;
  float sum = biases[column];
  for (int i = 0; i < static_cast<int>(blockDim.x) / 32; ++i) sum += partial[i][lane];
  y[static_cast<int64_t>(row) * out + column] = fmaxf(sum, 0.0f);
}

}  // namespace

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  CHECK_CUDA_FLOAT(x);
  CHECK_CUDA_FLOAT(weights);
  CHECK_CUDA_FLOAT(biases);
  TORCH_CHECK(x.dim() == 2 && weights.dim() == 2 && x.size(1) == weights.size(1),
              "x (batch, in) and weights (out, in) must agree in `in`");
  TORCH_CHECK(biases.dim() == 1 && biases.size(0) == weights.size(0),
              "biases must have one element per row of weights");
  const int batch = x.size(0);
  const int in = weights.size(1);
  const int out = weights.size(0);
  const float* from = x.data_ptr<float>();
  const float* w = weights.data_ptr<float>();

  const c10::cuda::CUDAGuard guard(x.device());
  torch::Tensor y = torch::empty({batch, out}, x.options());
  if (y.numel() == 0) return y;
  const bool aligned = kernels::allows_float4(from, in) && kernels::allows_float4(w, in);
  const int steps = kernels::ceil_div(in, aligned ? 128 : 32);
  const int warps = min(max(steps, 1), kMaxWarps);
  const dim3 grid(kernels::ceil_div(out, kColumns), kernels::ceil_div(batch, kRows));
  const auto kernel = aligned ? linear_relu_kernel<4> : linear_relu_kernel<1>;
  const int bytes = (kRows + kColumns) * 32 * warps * (aligned ? 16 : 4);
  C10_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  kernel<<<grid, 32 * warps, bytes, at::cuda::getCurrentCUDAStream()>>>(
      from, w, biases.data_ptr<float>(), y.data_ptr<float>(), batch, in, out);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "Linear layer with ReLU (depth shared by the warps of a block)");
}
