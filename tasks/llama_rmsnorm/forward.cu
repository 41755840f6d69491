#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

// y = x / sqrt(mean(x^2) + eps) * w. The mean is that of one token, over its features.

#define CHECK_INPUT(tensor)                                                      \
  TORCH_CHECK((tensor).is_cuda() && (tensor).scalar_type() == torch::kFloat32 && \
                  (tensor).is_contiguous() && (tensor).numel() <= INT32_MAX,     \
              #tensor                                                            \
              " must be a contiguous float32 tensor on a GPU, of at most 2^31 - 1 elements")

namespace {

constexpr int kThreads = 256;  // of a block
constexpr int kBlock = 4096;   // terms that are added before their sum goes into the whole one

// A thread for each token.
__global__ void scales_of_tokens(const float* x, float* scales, int tokens, int features,
                                 double eps) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= tokens) return;
  float squares = 0.0f;
  for (int begin = 0; begin < features; begin += kBlock) {
    const int end = min(begin + kBlock, features);
    float part = 0.0f;
    for (int j = begin; j < end; ++j) {
      part += x[index * features + j] * x[index * features + j];
    }
    squares += part;
  }
  scales[index] = 1.0 / sqrt(squares / features + eps);
}

// A thread for each element.
__global__ void normalize(const float* x, const float* w, const float* scales, float* y, int tokens,
                          int features) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= tokens * features) return;
  y[index] = x[index] * scales[index / features] * w[index % features];
}

// As many blocks as give each of `count` elements a thread.
int blocks_for(int64_t count) {
  TORCH_CHECK(count > 0 && count <= INT32_MAX - kThreads, "a launch must be for 1 to 2^31 - ",
              kThreads, " elements, not ", count);
  return (count + kThreads - 1) / kThreads;
}

}  // namespace

torch::Tensor forward(torch::Tensor x, torch::Tensor w, double eps) {
  CHECK_INPUT(x);
  CHECK_INPUT(w);
  const int features = w.numel();
  TORCH_CHECK(features > 0 && x.size(-1) == features, "w must have one element per feature of x");
  const int tokens = x.numel() / features;
  const c10::cuda::CUDAGuard guard(x.device());
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  torch::Tensor y = torch::empty_like(x);
  torch::Tensor scales = torch::empty({tokens}, x.options());
  scales_of_tokens<<<blocks_for(tokens), kThreads, 0, stream>>>(
      x.data_ptr<float>(), scales.data_ptr<float>(), tokens, features, eps);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  normalize<<<blocks_for(x.numel()), kThreads, 0, stream>>>(
      x.data_ptr<float>(), w.data_ptr<float>(), scales.data_ptr<float>(), y.data_ptr<float>(),
      tokens, features);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "RMS normalization");
}
