#include "../../common/cuda/gemm.cuh"
#include "../../common/cuda/reduce.cuh"

// y = x w^T + b. A classifier's last layer is tiny, and what it costs is one trip to memory. A warp
// makes one element of y. At 128 features each lane's whole work is two 16-byte loads, which all
// warps of the GPU send at once. Wide layers go to the tensor cores.

namespace {

constexpr int kWarps = 4;
constexpr int kMaxOut = 64;

template <int kWidth>
__global__ void __launch_bounds__(32 * kWarps)
    dot_kernel(const float* __restrict__ x, const float* __restrict__ weights,
               const float* __restrict__ biases, float* __restrict__ y, uint32_t outputs,
               uint32_t in, uint32_t out) {
  const uint32_t output = blockIdx.x * kWarps + threadIdx.x / 32;
  if (output >= outputs) return;
  const int lane = threadIdx.x % 32;
  const float* a = x + static_cast<int64_t>(output / out) * in;
  const float* b = weights + output % out * in;
  const float bias = biases[output % out];
  float sum = 0.0f;
#pragma unroll 4
  for (uint32_t i = lane * kWidth; i < in; i += 32 * kWidth) {
    const auto left = kernels::load<kWidth>(a + i);
    const auto right = kernels::load<kWidth>(b + i);
#pragma unroll
    for (int e = 0; e < kWidth; ++e) sum += left.at[e] * right.at[e];
  }
  sum = kernels::warp_sum(sum);
  if (lane == 0) y[output] = sum + bias;
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
  const float* b = biases.data_ptr<float>();

  const c10::cuda::CUDAGuard guard(x.device());
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  torch::Tensor y = torch::empty({batch, out}, x.options());
  const int64_t outputs = y.numel();
  TORCH_CHECK(outputs < INT32_MAX, "y must have fewer than 2^31 elements, not ", outputs);
  if (outputs == 0) return y;
  if (out > kMaxOut) {
    kernels::multiply(kernels::RowOperand(from, in, batch), kernels::RowOperand(w, in, out),
                      {y.data_ptr<float>(), batch, out, b}, in, x.options(), stream);
    return y;
  }
  const bool aligned = kernels::allows_float4(from, in) && kernels::allows_float4(w, in);
  const auto kernel = aligned ? dot_kernel<4> : dot_kernel<1>;
  kernel<<<kernels::ceil_div<int64_t>(outputs, kWarps), 32 * kWarps, 0, stream>>>(
      from, w, b, y.data_ptr<float>(), outputs, in, out);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "Linear layer (a warp per output)");
}
