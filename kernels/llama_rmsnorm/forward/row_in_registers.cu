#include "../../common/cuda/check.cuh"
#include "../../common/cuda/reduce.cuh"

// y = x / sqrt(mean(x^2) + eps) * w over the last dimension. The kernel is bound by memory. A block
// keeps a row in registers between the sum and the scaling, so x is read once and y written once.
// The accesses are of 16 bytes, and all are under way before the first is used. w is in the caches
// after the first rows.

namespace {

constexpr int kThreads = 256;

// A thread has kPacks packs of the row; kPacks = 0 stands for rows that do not fit, which are read
// twice.
template <int kWidth, int kPacks>
__global__ void __launch_bounds__(kThreads)
    rmsnorm_kernel(const float* __restrict__ x, const float* __restrict__ w, int features,
                   float eps, float* __restrict__ y) {
  using Pack = kernels::Pack<kWidth>;
  const float* from = x + blockIdx.x * static_cast<int64_t>(features);
  float* to = y + blockIdx.x * static_cast<int64_t>(features);
  const int first = threadIdx.x * kWidth;
  constexpr int kStep = kThreads * kWidth;
  float sum[1] = {};
  const auto add_squares = [&](const Pack& pack) {
#pragma unroll
    for (int e = 0; e < kWidth; ++e) sum[0] += pack.at[e] * pack.at[e];
  };
  const auto scale = [&](Pack pack, const Pack& weight) {
    const float rms = rsqrtf(__fdiv_rn(sum[0], features) + eps);
#pragma unroll
    for (int e = 0; e < kWidth; ++e) pack.at[e] = pack.at[e] * rms * weight.at[e];
    return pack;
  };

  if constexpr (kPacks > 0) {
    Pack row[kPacks] = {};
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
      if (first + i * kStep < features) row[i] = kernels::load<kWidth>(from + first + i * kStep);
    }
#pragma unroll
    for (int i = 0; i < kPacks; ++i) add_squares(row[i]);
    kernels::block_sum<kThreads / 32>(sum);
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
      const int at = first + i * kStep;
      if (at < features) kernels::store(to + at, scale(row[i], kernels::load<kWidth>(w + at)));
    }
  } else {
    for (int at = first; at < features; at += kStep) add_squares(kernels::load<kWidth>(from + at));
    kernels::block_sum<kThreads / 32>(sum);
    for (int at = first; at < features; at += kStep) {
      kernels::store(to + at,
                     scale(kernels::load<kWidth>(from + at), kernels::load<kWidth>(w + at)));
    }
  }
}

template <int kWidth>
auto kernel_for(int features) {
  const int packs = kernels::ceil_div(features, kThreads * kWidth);
  if (packs <= 1) return rmsnorm_kernel<kWidth, 1>;
  if (packs <= 2) return rmsnorm_kernel<kWidth, 2>;
  if (packs <= 4) return rmsnorm_kernel<kWidth, 4>;
  if (packs <= 8) return rmsnorm_kernel<kWidth, 8>;
  return rmsnorm_kernel<kWidth, 0>;
}

}  // namespace

torch::Tensor forward(torch::Tensor x, torch::Tensor w, double eps) {
  CHECK_CUDA_FLOAT(x);
  CHECK_CUDA_FLOAT(w);
  TORCH_CHECK(x.dim() >= 1 && w.dim() == 1 && x.size(-1) == w.size(0),
              "w must have one element per feature of x");
  const int features = w.size(0);
  torch::Tensor y = torch::empty_like(x);
  if (x.numel() == 0) return y;

  const c10::cuda::CUDAGuard guard(x.device());
  const bool aligned = kernels::allows_float4(x.data_ptr<float>(), features) &&
                       kernels::allows_float4(w.data_ptr<float>(), 0);
  const auto kernel = aligned ? kernel_for<4>(features) : kernel_for<1>(features);
  kernel<<<x.numel() / features, kThreads, 0, at::cuda::getCurrentCUDAStream()>>>(
      x.data_ptr<float>(), w.data_ptr<float>(), features, static_cast<float>(eps),
      y.data_ptr<float>());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "RMS normalization (a row in a block's registers)");
}
