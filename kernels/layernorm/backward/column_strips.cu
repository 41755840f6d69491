#include <vector>

#include "../../common/cuda/check.cuh"
#include "../../common/cuda/reduce.cuh"

// Gradients of y = h w + b, h = (x - mean) r, r = 1 / sqrt(var + eps), over the dimensions of w:
//   dx = r (g w - mean(g w) - h mean(g w h)),  dw = sum over the batch of g h,  db = that of g.
// The first kernel goes by chunks of a sample. It makes the mean and squared distance of x. It also
// sums g w, and g w times the distance from the chunk's own mean, so that nothing cancels when
// chunks are combined. A second, small kernel combines them in double. The third kernel goes by
// columns. A thread goes down the batch with dw and db of its columns in registers and writes dx on
// the way. x and g are read twice, and dx, dw and db written once. w stays in the L2 cache, since
// neighbouring blocks take the same columns of all samples.

namespace {

constexpr int kThreads = 256;
constexpr int kPacks = 4;  // per thread and chunk
constexpr int kRowsAhead = 4;

// Sums over a chunk.
struct Part {
  float mean;
  float squares;   // of the distances from the mean
  float pull;      // g w
  float pull_out;  // g w times the distance from the mean
};

// The coefficients for dx of a sample: dx = g w * scale - (x - mean) * slope - offset.
struct Line {
  float mean;
  float scale;
  float slope;
  float offset;
};

template <int kWidth>
__global__ void __launch_bounds__(kThreads)
    parts_kernel(const float* __restrict__ x, const float* __restrict__ g,
                 const float* __restrict__ weight, int64_t features, Part* __restrict__ parts) {
  constexpr int64_t kChunk = kThreads * kPacks * kWidth;
  const int64_t row = blockIdx.x * features;
  const int64_t first = blockIdx.y * kChunk + threadIdx.x * kWidth;
  const float count = min(kChunk, features - blockIdx.y * kChunk);
  kernels::Pack<kWidth> from[kPacks] = {}, pull[kPacks] = {}, w[kPacks] = {};
#pragma unroll
  for (int i = 0; i < kPacks; ++i) {
    const int64_t at = first + i * kThreads * kWidth;
    if (at >= features) continue;
    from[i] = kernels::load<kWidth>(x + row + at);
    pull[i] = kernels::load<kWidth>(g + row + at);
    w[i] = kernels::load<kWidth>(weight + at);
  }
  float sum[1] = {};
#pragma unroll
  for (int i = 0; i < kPacks; ++i) {
#pragma unroll
    for (int e = 0; e < kWidth; ++e) sum[0] += from[i].at[e];
  }
  kernels::block_sum<kThreads / 32>(sum);
  const float mean = __fdiv_rn(sum[0], count);
  float sums[3] = {};
#pragma unroll
  for (int i = 0; i < kPacks; ++i) {
    if (first + i * kThreads * kWidth >= features) continue;
#pragma unroll
    for (int e = 0; e < kWidth; ++e) {
      const float distance = from[i].at[e] - mean;
      const float p = pull[i].at[e] * w[i].at[e];
      sums[0] += distance * distance;
      sums[1] += p;
      sums[2] += p * distance;
    }
  }
  kernels::block_sum<kThreads / 32>(sums);
  if (threadIdx.x == 0) {
    parts[blockIdx.x * gridDim.y + blockIdx.y] = {mean, sums[0], sums[1], sums[2]};
  }
}

// A block per sample.
__device__ double block_sum_double(double value) {
  __shared__ double values[kThreads];
  values[threadIdx.x] = value;
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) values[threadIdx.x] += values[threadIdx.x + half];
  }
  __syncthreads();
  value = values[0];
  __syncthreads();
  return value;
}

__global__ void __launch_bounds__(kThreads)
    lines_kernel(const Part* __restrict__ parts, int chunks, int64_t chunk_size, int64_t features,
                 double eps, Line* __restrict__ lines) {
  const Part* mine = parts + static_cast<int64_t>(blockIdx.x) * chunks;
  const auto size_of = [=](int chunk) -> double {
    return min(chunk_size, features - chunk * chunk_size);
  };
  double mean = 0.0;
  for (int i = threadIdx.x; i < chunks; i += kThreads) mean += mine[i].mean * size_of(i);
  mean = block_sum_double(mean) / features;
  double squares = 0.0, pull = 0.0, pull_out = 0.0;
  for (int i = threadIdx.x; i < chunks; i += kThreads) {
    const double distance = mine[i].mean - mean;
    squares += mine[i].squares + distance * distance * size_of(i);
    pull += mine[i].pull;
    pull_out += mine[i].pull_out + distance * mine[i].pull;
  }
  squares = block_sum_double(squares);
  pull = block_sum_double(pull);
  pull_out = block_sum_double(pull_out);
  if (threadIdx.x != 0) return;
  const double r = 1.0 / sqrt(squares / features + eps);
  lines[blockIdx.x] = {static_cast<float>(mean), static_cast<float>(r),
                       static_cast<float>(r * r * r * pull_out / features),
                       static_cast<float>(r * pull / features)};
}

template <int kWidth>
__global__ void __launch_bounds__(kThreads)
    gradients_kernel(const float* __restrict__ x, const float* __restrict__ g,
                     const float* __restrict__ weight, const Line* __restrict__ lines, int rows,
                     int64_t features, float* __restrict__ dx, float* __restrict__ dw,
                     float* __restrict__ db) {
  const int64_t column = (static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x) * kWidth;
  if (column >= features) return;
  const auto w = kernels::load<kWidth>(weight + column);
  kernels::Pack<kWidth> weight_sum = {}, bias_sum = {};
#pragma unroll kRowsAhead
  for (int row = 0; row < rows; ++row) {
    const Line line = lines[row];
    auto from = kernels::load<kWidth>(x + row * features + column);
    const auto grad = kernels::load<kWidth>(g + row * features + column);
#pragma unroll
    for (int e = 0; e < kWidth; ++e) {
      const float distance = from.at[e] - line.mean;
      weight_sum.at[e] += grad.at[e] * (distance * line.scale);
      bias_sum.at[e] += grad.at[e];
      from.at[e] = grad.at[e] * w.at[e] * line.scale - distance * line.slope - line.offset;
    }
    kernels::store<kWidth>(dx + row * features + column, from);
  }
  kernels::store<kWidth>(dw + column, weight_sum);
  kernels::store<kWidth>(db + column, bias_sum);
}

template <int kWidth>
void run(const float* x, const float* g, const float* weight, float* dx, float* dw, float* db,
         int rows, int64_t features, double eps, const torch::TensorOptions& options) {
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  constexpr int64_t kChunk = kThreads * kPacks * kWidth;
  const int chunks = kernels::ceil_div(features, kChunk);
  TORCH_CHECK(chunks < 65536, "samples of at most ", 65535 * kChunk, " elements are supported");
  torch::Tensor workspace = torch::empty({rows, chunks + 1, 4}, options);
  auto* parts = reinterpret_cast<Part*>(workspace.data_ptr<float>());
  auto* lines = reinterpret_cast<Line*>(parts + static_cast<int64_t>(rows) * chunks);
  parts_kernel<kWidth><<<dim3(rows, chunks), kThreads, 0, stream>>>(x, g, weight, features, parts);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  lines_kernel<<<rows, kThreads, 0, stream>>>(parts, chunks, kChunk, features, eps, lines);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  gradients_kernel<kWidth>
      <<<kernels::ceil_div<int64_t>(features, kThreads * kWidth), kThreads, 0, stream>>>(
          x, g, weight, lines, rows, features, dx, dw, db);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace

std::vector<torch::Tensor> backward(torch::Tensor grad_output, torch::Tensor x,
                                    torch::Tensor weight, torch::Tensor bias, double eps,
                                    std::vector<int64_t> normalized_shape) {
  CHECK_CUDA_FLOAT(grad_output);
  CHECK_CUDA_FLOAT(x);
  CHECK_CUDA_FLOAT(weight);
  TORCH_CHECK(grad_output.numel() == x.numel(), "grad_output must have the shape of x");
  TORCH_CHECK(static_cast<int64_t>(normalized_shape.size()) == weight.dim() &&
                  weight.dim() <= x.dim() && bias.numel() == weight.numel(),
              "weight and bias must have the shape normalized_shape");
  for (int64_t d = 1; d <= weight.dim(); ++d) {
    TORCH_CHECK(weight.size(-d) == x.size(-d) &&
                    normalized_shape[normalized_shape.size() - d] == x.size(-d),
                "normalized_shape must be the last dimensions of x");
  }
  const c10::cuda::CUDAGuard guard(x.device());
  torch::Tensor dx = torch::empty_like(x);
  if (x.numel() == 0) return {dx, torch::zeros_like(weight), torch::zeros_like(weight)};
  torch::Tensor dw = torch::empty_like(weight);
  torch::Tensor db = torch::empty_like(weight);
  const int64_t features = weight.numel();
  const float* from = x.data_ptr<float>();
  const float* g = grad_output.data_ptr<float>();
  const float* w = weight.data_ptr<float>();
  const bool aligned = kernels::allows_float4(from, features) &&
                       kernels::allows_float4(g, features) && kernels::allows_float4(w, 0);
  const auto run_kernels = aligned ? run<4> : run<1>;
  run_kernels(from, g, w, dx.data_ptr<float>(), dw.data_ptr<float>(), db.data_ptr<float>(),
              x.numel() / features, features, eps, x.options());
  return {dx, dw, db};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward, "Gradients of layer normalization of long samples");
}
