#include <vector>

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

// Gradients of y = x r w, where r = 1 / sqrt(mean(x^2) + eps) is one number a token:
//   dx = r g w - x r^3 mean(g w x),  dw = sum over the tokens of g x r.

#define CHECK_INPUT(tensor)                                                      \
  TORCH_CHECK((tensor).is_cuda() && (tensor).scalar_type() == torch::kFloat32 && \
                  (tensor).is_contiguous() && (tensor).numel() <= INT32_MAX,     \
              #tensor                                                            \
              " must be a contiguous float32 tensor on a GPU, of at most 2^31 - 1 elements")

namespace {

constexpr int kThreads = 256;  // of a block
constexpr int kBlock = 4096;   // terms that are added before their sum goes into the whole one

// A thread for each token: r, and r^3 mean(g w x).
__global__ void sums_of_tokens(const float* g, const float* x, const float* w, float* scales,
                               float* pulls, int tokens, int features, double eps) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= tokens) return;
  float squares = 0.0f;
  float products = 0.0f;
  for (int begin = 0; begin < features; begin += kBlock) {
    const int end = min(begin + kBlock, features);
    float part_of_squares = 0.0f;
    float part_of_products = 0.0f;
    for (int j = begin; j < end; ++j) {
      part_of_squares += x[index * features + j] * x[index * features + j];
      part_of_products += g[index * features + j] * w[j] * x[index * features + j];
    }
    squares += part_of_squares;
    products += part_of_products;
  }
  const double r = 1.0 / sqrt(squares / features + eps);
  scales[index] = r;
  pulls[index] = r * r * r * products / features;
}

// A thread for each element.
__global__ void gradient_of_x(const float* g, const float* x, const float* w, const float* scales,
                              const float* pulls, float* dx, int tokens, int features) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= tokens * features) return;
  const int i = index / features;
  const int j = index % features;
  dx[index] = g[index] * w[j] * scales[i] - x[index] * pulls[i];
}

// A thread for each feature.
__global__ void gradient_of_w(const float* g, const float* x, const float* scales, float* dw,
                              int tokens, int features) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= features) return;
  float sum = 0.0f;
  for (int begin = 0; begin < tokens; begin += kBlock) {
    const int end = min(begin + kBlock, tokens);
    float part = 0.0f;
    for (int i = begin; i < end; ++i) {
      part += g[i * features + index] * x[i * features + index] * scales[i];
    }
    sum += part;
  }
  dw[index] = sum;
}

// As many blocks as give each of `count` elements a thread.
int blocks_for(int64_t count) {
  TORCH_CHECK(count > 0 && count <= INT32_MAX - kThreads, "a launch must be for 1 to 2^31 - ",
              kThreads, " elements, not ", count);
  return (count + kThreads - 1) / kThreads;
}

}  // namespace

std::vector<torch::Tensor> backward(torch::Tensor grad_output, torch::Tensor x, torch::Tensor w,
                                    double eps) {
  CHECK_INPUT(grad_output);
  CHECK_INPUT(x);
  CHECK_INPUT(w);
  const int features = w.numel();
  TORCH_CHECK(features > 0 && x.size(-1) == features, "w must have one element per feature of x");
  TORCH_CHECK(grad_output.numel() == x.numel(), "grad_output must have the shape of x");
  const int tokens = x.numel() / features;
  const c10::cuda::CUDAGuard guard(x.device());
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  torch::Tensor dx = torch::empty_like(x);
  torch::Tensor dw = torch::empty_like(w);
  torch::Tensor scales = torch::empty({tokens}, x.options());
  torch::Tensor pulls = torch::empty({tokens}, x.options());
  const float* g = grad_output.data_ptr<float>();
  const float* from = x.data_ptr<float>();
  sums_of_tokens<<<blocks_for(tokens), kThreads, 0, stream>>>(
      g, from, w.data_ptr<float>(), scales.data_ptr<float>(), pulls.data_ptr<float>(), tokens,
      features, eps);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  gradient_of_x<<<blocks_for(x.numel()), kThreads, 0, stream>>>(
      g, from, w.data_ptr<float>(), scales.data_ptr<float>(), pulls.data_ptr<float>(),
      dx.data_ptr<float>(), tokens, features);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  gradient_of_w<<<blocks_for(features), kThreads, 0, stream>>>(
      g, from, scales.data_ptr<float>(), dw.data_ptr<float>(), tokens, features);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return {dx, dw};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward, "Gradients of RMS normalization");
}
