#include "../../common/cuda/check.cuh"
#include "../../common/cuda/reduce.cuh"

// y = (x - mean) / sqrt(var + eps) * w + b over the dimensions of w. There are few samples and each
// is long (millions of elements), so a sample must be shared by the whole GPU. The first kernel
// makes the moments of each chunk: count, mean and squared distance from it. Moments of parts
// combine exactly, with no difference of large sums. In the second kernel every block combines its
// sample's chunks, which are some kilobytes from the L2 cache. Its own x, w and b are on the way
// meanwhile, and it then writes y. Device memory is read once for x, w and b and written once for
// y. The second read of x finds it in the L2 cache where it fits.

namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kChunkRounds = 2;  // of kPacks packs per thread, in a chunk of the first kernel
constexpr int kPacks = 4;        // per thread, loaded before the first is used

struct Moments {
  float count = 0.0f;
  float mean = 0.0f;
  float squares = 0.0f;  // sum of squared distances from the mean

  __device__ void merge(const Moments& other) {
    const float total = count + other.count;
    if (total == 0.0f) return;
    const float share = __fdiv_rn(other.count, total);
    const float distance = other.mean - mean;
    mean += distance * share;
    squares += other.squares + distance * distance * count * share;
    count = total;
  }
};

// Thread 0 gets the block's moments.
__device__ Moments block_moments(Moments moments) {
  __shared__ Moments of_warp[kWarps];
  const auto add_warp = [&](int lanes) {
    for (int distance = lanes / 2; distance > 0; distance /= 2) {
      moments.merge({__shfl_down_sync(0xffffffff, moments.count, distance),
                     __shfl_down_sync(0xffffffff, moments.mean, distance),
                     __shfl_down_sync(0xffffffff, moments.squares, distance)});
    }
  };
  add_warp(32);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = moments;
  __syncthreads();
  if (threadIdx.x < 32) {
    moments = threadIdx.x < kWarps ? of_warp[threadIdx.x] : Moments{};
    add_warp(kWarps);
  }
  return moments;
}

template <int kWidth>
__global__ void __launch_bounds__(kThreads)
    moments_kernel(const float* __restrict__ x, int64_t features, Moments* __restrict__ chunks) {
  constexpr int kRound = kThreads * kPacks * kWidth;
  const float* row = x + blockIdx.y * features;
  Moments moments;
#pragma unroll
  for (int round = 0; round < kChunkRounds; ++round) {
    const int64_t first = (static_cast<int64_t>(blockIdx.x) * kChunkRounds + round) * kRound;
    kernels::Pack<kWidth> packs[kPacks] = {};
    float count = 0.0f;
    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
      const int64_t at = first + (i * kThreads + threadIdx.x) * kWidth;
      if (at < features) {
        packs[i] = kernels::load<kWidth>(row + at);
        count += kWidth;
      }
    }
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
#pragma unroll
      for (int e = 0; e < kWidth; ++e) sum += packs[i].at[e];
    }
    const float mean = count == 0.0f ? 0.0f : __fdiv_rn(sum, count);
    float squares = 0.0f;
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
      const bool valid = first + (i * kThreads + threadIdx.x) * kWidth < features;
#pragma unroll
      for (int e = 0; e < kWidth; ++e) {
        const float distance = packs[i].at[e] - mean;
        if (valid) squares += distance * distance;
      }
    }
    moments.merge({count, mean, squares});
  }
  moments = block_moments(moments);
  if (threadIdx.x == 0) chunks[blockIdx.y * gridDim.x + blockIdx.x] = moments;
}

template <int kWidth>
__global__ void __launch_bounds__(kThreads)
    normalize_kernel(const float* __restrict__ x, const float* __restrict__ weight,
                     const float* __restrict__ bias, const Moments* __restrict__ chunks,
                     int chunk_count, int64_t features, float eps, float* __restrict__ y) {
  __shared__ float shared_mean, shared_scale;
  const int64_t row = blockIdx.y * features;
  const int64_t first =
      (static_cast<int64_t>(blockIdx.x) * kThreads * kPacks + threadIdx.x) * kWidth;
  kernels::Pack<kWidth> from[kPacks], w[kPacks], b[kPacks];
#pragma unroll
  for (int i = 0; i < kPacks; ++i) {
    const int64_t at = first + i * kThreads * kWidth;
    if (at >= features) continue;
    from[i] = kernels::load<kWidth>(x + row + at);
    w[i] = kernels::load<kWidth>(weight + at);
    b[i] = kernels::load<kWidth>(bias + at);
  }

  Moments moments;
  for (int i = threadIdx.x; i < chunk_count; i += kThreads) {
    moments.merge(chunks[blockIdx.y * chunk_count + i]);
  }
  moments = block_moments(moments);
  if (threadIdx.x == 0) {
    shared_mean = moments.mean;
    shared_scale = rsqrtf(__fdiv_rn(moments.squares, moments.count) + eps);
  }
  __syncthreads();
  const float mean = shared_mean;
  const float scale = shared_scale;

#pragma unroll
  for (int i = 0; i < kPacks; ++i) {
    const int64_t at = first + i * kThreads * kWidth;
    if (at >= features) continue;
#pragma unroll
    for (int e = 0; e < kWidth; ++e) {
      from[i].at[e] = (from[i].at[e] - mean) * scale * w[i].at[e] + b[i].at[e];
    }
    kernels::store<kWidth>(y + row + at, from[i]);
  }
}

template <int kWidth>
void run(const float* x, const float* weight, const float* bias, float* y, int64_t rows,
         int64_t features, double eps, const torch::TensorOptions& options) {
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  constexpr int64_t kBlock = kThreads * kPacks * kWidth;
  const int chunk_count = kernels::ceil_div(features, kBlock * kChunkRounds);
  torch::Tensor workspace = torch::empty({rows, chunk_count, 3}, options);
  auto* chunks = reinterpret_cast<Moments*>(workspace.data_ptr<float>());
  moments_kernel<kWidth><<<dim3(chunk_count, rows), kThreads, 0, stream>>>(x, features, chunks);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  normalize_kernel<kWidth>
      <<<dim3(kernels::ceil_div(features, kBlock), rows), kThreads, 0, stream>>>(
          x, weight, bias, chunks, chunk_count, features, static_cast<float>(eps), y);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace

torch::Tensor forward(torch::Tensor x, torch::Tensor weight, torch::Tensor bias, double eps) {
  CHECK_CUDA_FLOAT(x);
  CHECK_CUDA_FLOAT(weight);
  CHECK_CUDA_FLOAT(bias);
  TORCH_CHECK(weight.dim() <= x.dim() && bias.numel() == weight.numel(),
              "weight and bias must have the shape of the last dimensions of x");
  for (int64_t d = 1; d <= weight.dim(); ++d) {
    TORCH_CHECK(weight.size(-d) == x.size(-d), "weight must have x's last dimensions");
  }
  torch::Tensor y = torch::empty_like(x);
  if (x.numel() == 0) return y;
  const int64_t features = weight.numel();
  const int64_t rows = x.numel() / features;
  TORCH_CHECK(rows < 65536, "at most 65535 samples are supported, not ", rows);

  const c10::cuda::CUDAGuard guard(x.device());
  const float* w = weight.data_ptr<float>();
  const float* b = bias.data_ptr<float>();
  const bool aligned = kernels::allows_float4(x.data_ptr<float>(), features) &&
                       kernels::allows_float4(w, 0) && kernels::allows_float4(b, 0);
  const auto run_kernels = aligned ? run<4> : run<1>;
  run_kernels(x.data_ptr<float>(), w, b, y.data_ptr<float>(), rows, features, eps, x.options());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "Layer normalization of long samples (chunked moments)");
}
