#include <vector>

#include "../../common/cuda/check.cuh"
#include "../../common/cuda/reduce.cuh"

// Gradients of y = x r w, r = 1 / sqrt(mean(x^2) + eps), over the last dimension:
//   dx = r (g w - x r^2 mean(g w x)),  dw = sum over rows of g x r.
// The kernel is bound by memory, so x and g are read once and dx is written once. The grid just
// fills the GPU, and a block goes from row to row. A thread is always on the same columns, so w and
// its part of dw stay in registers. While a row is summed, the next one is already on the way. At
// the end each block writes one row of partial dw, which a second kernel adds.

namespace {

constexpr int kThreads = 256;

template <int kWidth, int kPacks>
struct Row {
  kernels::Pack<kWidth> x[kPacks];
  kernels::Pack<kWidth> g[kPacks];
};

// A thread has kPacks packs of each row.
template <int kWidth, int kPacks>
__global__ void __launch_bounds__(kThreads)
    backward_kernel(const float* __restrict__ g, const float* __restrict__ x,
                    const float* __restrict__ weight, int64_t rows, int features, float eps,
                    float* __restrict__ dx, float* __restrict__ partial) {
  using Pack = kernels::Pack<kWidth>;
  const int first = threadIdx.x * kWidth;
  constexpr int kStep = kThreads * kWidth;
  Pack w[kPacks] = {};
  kernels::LongSum dw[kPacks][kWidth];
  Row<kWidth, kPacks> next = {};
  const auto load_row = [&](int64_t row) {
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
      const int at = first + i * kStep;
      if (at >= features) continue;
      next.x[i] = kernels::load<kWidth>(x + row * features + at);
      next.g[i] = kernels::load<kWidth>(g + row * features + at);
    }
  };
#pragma unroll
  for (int i = 0; i < kPacks; ++i) {
    if (first + i * kStep < features) w[i] = kernels::load<kWidth>(weight + first + i * kStep);
  }
  if (blockIdx.x < rows) load_row(blockIdx.x);

  for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    Row<kWidth, kPacks> now = next;
    if (row + gridDim.x < rows) load_row(row + gridDim.x);
    float sums[2] = {};
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
#pragma unroll
      for (int e = 0; e < kWidth; ++e) {
        sums[0] += now.x[i].at[e] * now.x[i].at[e];
        sums[1] += now.g[i].at[e] * w[i].at[e] * now.x[i].at[e];
      }
    }
    kernels::block_sum<kThreads / 32>(sums);
    const float r = rsqrtf(__fdiv_rn(sums[0], features) + eps);
    const float pull = r * r * r * __fdiv_rn(sums[1], features);
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
      if (first + i * kStep >= features) continue;
      Pack to;
#pragma unroll
      for (int e = 0; e < kWidth; ++e) {
        to.at[e] = now.g[i].at[e] * w[i].at[e] * r - now.x[i].at[e] * pull;
        dw[i][e] += now.g[i].at[e] * now.x[i].at[e] * r;
      }
      kernels::store(dx + row * features + first + i * kStep, to);
    }
  }
#pragma unroll
  for (int i = 0; i < kPacks; ++i) {
    const int at = first + i * kStep;
    if (at >= features) continue;
    Pack to;
#pragma unroll
    for (int e = 0; e < kWidth; ++e) to.at[e] = dw[i][e].sum;
    kernels::store(partial + blockIdx.x * static_cast<int64_t>(features) + at, to);
  }
}

// The same for rows that do not fit into registers. They are read twice. The block's part of dw is
// in memory, where each thread sees only its own columns.
__global__ void __launch_bounds__(kThreads)
    long_rows_kernel(const float* __restrict__ g, const float* __restrict__ x,
                     const float* __restrict__ w, int64_t rows, int features, float eps,
                     float* __restrict__ dx, float* __restrict__ partial) {
  float* dw = partial + blockIdx.x * static_cast<int64_t>(features);
  for (int i = threadIdx.x; i < features; i += kThreads) dw[i] = 0.0f;
  for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    const int64_t first = row * features;
    float sums[2] = {};
#pragma unroll 4
    for (int i = threadIdx.x; i < features; i += kThreads) {
      sums[0] += x[first + i] * x[first + i];
      sums[1] += g[first + i] * w[i] * x[first + i];
    }
    kernels::block_sum<kThreads / 32>(sums);
    const float r = rsqrtf(__fdiv_rn(sums[0], features) + eps);
    const float pull = r * r * r * __fdiv_rn(sums[1], features);
#pragma unroll 4
    for (int i = threadIdx.x; i < features; i += kThreads) {
      dx[first + i] = g[first + i] * w[i] * r - x[first + i] * pull;
      dw[i] += g[first + i] * x[first + i] * r;
    }
  }
}

// Adds the blocks' parts of dw, few but large: 32 columns a block, its 8 warps share the parts.
__global__ void __launch_bounds__(256)
    add_parts_kernel(const float* __restrict__ partial, int parts, int features,
                     float* __restrict__ dw) {
  __shared__ double sums[8][32];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int column = blockIdx.x * 32 + lane;
  double sum = 0.0;
  if (column < features) {
#pragma unroll 8
    for (int i = warp; i < parts; i += 8)
      sum += partial[i * static_cast<int64_t>(features) + column];
  }
  sums[warp][lane] = sum;
  __syncthreads();
  if (warp != 0 || column >= features) return;
#pragma unroll
  for (int i = 1; i < 8; ++i) sum += sums[i][lane];
  dw[column] = static_cast<float>(sum);
}

template <int kWidth>
auto kernel_for(int features) {
  const int packs = kernels::ceil_div(features, kThreads * kWidth);
  if (packs <= 1) return backward_kernel<kWidth, 1>;
  if (packs <= 2) return backward_kernel<kWidth, 2>;
  if (packs <= 4) return backward_kernel<kWidth, 4>;
  if (packs <= 8) return backward_kernel<kWidth, 8>;
  return long_rows_kernel;
}

}  // namespace

std::vector<torch::Tensor> backward(torch::Tensor grad_output, torch::Tensor x, torch::Tensor w,
                                    double eps) {
  CHECK_CUDA_FLOAT(grad_output);
  CHECK_CUDA_FLOAT(x);
  CHECK_CUDA_FLOAT(w);
  TORCH_CHECK(x.dim() >= 1 && w.dim() == 1 && x.size(-1) == w.size(0),
              "w must have one element per feature of x");
  TORCH_CHECK(grad_output.numel() == x.numel(), "grad_output must have the shape of x");
  const int features = w.size(0);

  const c10::cuda::CUDAGuard guard(x.device());
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  torch::Tensor dx = torch::empty_like(x);
  if (x.numel() == 0) return {dx, torch::zeros_like(w)};
  torch::Tensor dw = torch::empty_like(w);
  const int64_t rows = x.numel() / features;
  const float* from = x.data_ptr<float>();
  const float* g = grad_output.data_ptr<float>();
  const bool aligned = kernels::allows_float4(from, features) &&
                       kernels::allows_float4(g, features) &&
                       kernels::allows_float4(w.data_ptr<float>(), 0);
  const auto kernel = aligned ? kernel_for<4>(features) : kernel_for<1>(features);
  int blocks_each = 0;
  C10_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_each, kernel, kThreads, 0));
  const int64_t resident = static_cast<int64_t>(blocks_each) *
                           at::cuda::getCurrentDeviceProperties()->multiProcessorCount;
  const int blocks = static_cast<int>(min(rows, resident));
  torch::Tensor partial = torch::empty({blocks, features}, x.options());
  kernel<<<blocks, kThreads, 0, stream>>>(g, from, w.data_ptr<float>(), rows, features,
                                          static_cast<float>(eps), dx.data_ptr<float>(),
                                          partial.data_ptr<float>());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  add_parts_kernel<<<kernels::ceil_div(features, 32), 256, 0, stream>>>(
      partial.data_ptr<float>(), blocks, features, dw.data_ptr<float>());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return {dx, dw};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward, "Gradients of RMS normalization (persistent blocks)");
}
