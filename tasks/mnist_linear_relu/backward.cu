#include <vector>

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

// Gradients of y = max(x weights^T + biases, 0). y is computed again. Where it is not 0, g is the
// gradient of y, and elsewhere 0:
//   dx = g weights,  dw = g^T x,  db = sum over the batch of g.

#define CHECK_INPUT(tensor)                                                      \
  TORCH_CHECK((tensor).is_cuda() && (tensor).scalar_type() == torch::kFloat32 && \
                  (tensor).is_contiguous() && (tensor).numel() <= INT32_MAX,     \
              #tensor                                                            \
              " must be a contiguous float32 tensor on a GPU, of at most 2^31 - 1 elements")

namespace {

constexpr int kThreads = 256;  // of a block

// A thread for each element of y.
__global__ void pass_relu(const float* grad_output, const float* x, const float* weights,
                          const float* biases, float* g, int batch, int in, int out) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= batch * out) return;
  const int i = index / out;
  const int o = index % out;
  float sum = 0.0f;
  for (int k = 0; k < in; ++k) {
    sum += x[i * in + k] * weights[o * in + k];
  }
  g[index] = sum + biases[o] > 0.0f ? grad_output[index] : 0.0f;
}

// A thread for each element of dx.
__global__ void gradient_of_x(const float* g, const float* weights, float* dx, int batch, int in,
                              int out) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= batch * in) return;
  const int i = index / in;
  const int k = index % in;
  float sum = 0.0f;
  for (int o = 0; o < out; ++o) {
    sum += g[i * out + o] * weights[o * in + k];
  }
  dx[index] = sum;
}

// A thread for each element of dw.
__global__ void gradient_of_weights(const float* g, const float* x, float* dw, int batch, int in,
                                    int out) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= out * in) return;
  const int o = index / in;
  const int k = index % in;
  float sum = 0.0f;
  for (int i = 0; i < batch; ++i) {
    sum += g[i * out + o] * x[i * in + k];
  }
  dw[index] = sum;
}

// A thread for each element of db.
__global__ void gradient_of_biases(const float* g, float* db, int batch, int out) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= out) return;
  float sum = 0.0f;
  for (int i = 0; i < batch; ++i) {
    sum += g[i * out + index];
  }
  db[index] = sum;
}

// As many blocks as give each of `count` elements a thread.
int blocks_for(int64_t count) {
  TORCH_CHECK(count > 0 && count <= INT32_MAX - kThreads, "a launch must be for 1 to 2^31 - ",
              kThreads, " elements, not ", count);
  return (count + kThreads - 1) / kThreads;
}

}  // namespace

std::vector<torch::Tensor> backward(torch::Tensor grad_output, torch::Tensor x,
                                    torch::Tensor weights, torch::Tensor biases) {
  CHECK_INPUT(grad_output);
  CHECK_INPUT(x);
  CHECK_INPUT(weights);
  CHECK_INPUT(biases);
  TORCH_CHECK(x.dim() == 2 && weights.dim() == 2 && x.size(1) == weights.size(1),
              "x (batch, in) and weights (out, in) must agree in `in`");
  const int batch = x.size(0);
  const int in = weights.size(1);
  const int out = weights.size(0);
  TORCH_CHECK(grad_output.dim() == 2 && grad_output.size(0) == batch && grad_output.size(1) == out,
              "grad_output must be (batch, out)");
  TORCH_CHECK(biases.numel() == out, "biases must have one element per row of weights");
  const c10::cuda::CUDAGuard guard(x.device());
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  torch::Tensor dx = torch::empty_like(x);
  torch::Tensor dw = torch::empty({out, in}, x.options());
  torch::Tensor db = torch::empty({out}, x.options());
  torch::Tensor passed = torch::empty_like(grad_output);
  float* g = passed.data_ptr<float>();
  pass_relu<<<blocks_for(passed.numel()), kThreads, 0, stream>>>(
      grad_output.data_ptr<float>(), x.data_ptr<float>(), weights.data_ptr<float>(),
      biases.data_ptr<float>(), g, batch, in, out);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  gradient_of_x<<<blocks_for(dx.numel()), kThreads, 0, stream>>>(
      g, weights.data_ptr<float>(), dx.data_ptr<float>(), batch, in, out);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  gradient_of_weights<<<blocks_for(dw.numel()), kThreads, 0, stream>>>(
      g, x.data_ptr<float>(), dw.data_ptr<float>(), batch, in, out);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  gradient_of_biases<<<blocks_for(out), kThreads, 0, stream>>>(g, db.data_ptr<float>(), batch, out);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return {dx, dw, db};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward, "Gradients of a linear layer with ReLU");
}
