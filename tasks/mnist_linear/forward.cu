#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

// y = x weights^T + biases.

#define CHECK_INPUT(tensor)                                                      \
  TORCH_CHECK((tensor).is_cuda() && (tensor).scalar_type() == torch::kFloat32 && \
                  (tensor).is_contiguous() && (tensor).numel() <= INT32_MAX,     \
              #tensor                                                            \
              " must be a contiguous float32 tensor on a GPU, of at most 2^31 - 1 elements")

namespace {

constexpr int kThreads = 256;  // of a block

// A thread for each element of y.
__global__ void linear(const float* x, const float* weights, const float* biases, float* y,
                       int batch, int in, int out) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= batch * out) return;
  const int i = index / out;
  const int o = index % out;
  float sum = 0.0f;
  for (int k = 0; k < in; ++k) {
    sum += x[i * in + k] * weights[o * in + k];
  }
  y[index] = sum + biases[o];
}

// As many blocks as give each of `count` elements a thread.
int blocks_for(int64_t count) {
  TORCH_CHECK(count > 0 && count <= INT32_MAX - kThreads, "a launch must be for 1 to 2^31 - ",
              kThreads, " elements, not ", count);
  return (count + kThreads - 1) / kThreads;
}

}  // namespace

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  CHECK_INPUT(x);
  CHECK_INPUT(weights);
  CHECK_INPUT(biases);
  TORCH_CHECK(x.dim() == 2 && weights.dim() == 2 && x.size(1) == weights.size(1),
              "x (batch, in) and weights (out, in) must agree in `in`");
  const int batch = x.size(0);
  TORCH_CHECK(biases.numel() == weights.size(0), "biases must have one element per row of weights");
  const int in = weights.size(1);
  const int out = weights.size(0);
  const c10::cuda::CUDAGuard guard(x.device());
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  torch::Tensor y = torch::empty({batch, out}, x.options());
  linear<<<blocks_for(y.numel()), kThreads, 0, stream>>>(
      x.data_ptr<float>(), weights.data_ptr<float>(), biases.data_ptr<float>(), y.data_ptr<float>(),
      batch, in, out);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "Linear layer");
}
