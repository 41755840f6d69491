#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

// y = hidden down_proj^T, where hidden = silu(x gate_proj^T) * (x up_proj^T) and
// silu(a) = a / (1 + exp(-a)).

#define CHECK_INPUT(tensor)                                                      \
  TORCH_CHECK((tensor).is_cuda() && (tensor).scalar_type() == torch::kFloat32 && \
                  (tensor).is_contiguous() && (tensor).numel() <= INT32_MAX,     \
              #tensor                                                            \
              " must be a contiguous float32 tensor on a GPU, of at most 2^31 - 1 elements")

namespace {

constexpr int kThreads = 256;  // of a block
constexpr int kBlock = 4096;   // terms that are added before their sum goes into the whole one

// A thread for each element of `hidden`.
__global__ void gated(const float* x, const float* gate_proj, const float* up_proj, float* hidden,
                      int tokens, int features, int up_features) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= tokens * up_features) return;
  const int i = index / up_features;
  const int u = index % up_features;
  float gate = 0.0f;
  float up = 0.0f;
  for (int begin = 0; begin < features; begin += kBlock) {
    const int end = min(begin + kBlock, features);
    float part_of_gate = 0.0f;
    float part_of_up = 0.0f;
    for (int k = begin; k < end; ++k) {
      part_of_gate += x[i * features + k] * gate_proj[u * features + k];
      part_of_up += x[i * features + k] * up_proj[u * features + k];
    }
    gate += part_of_gate;
    up += part_of_up;
  }
  hidden[index] = gate / (1.0f + expf(-gate)) * up;
}

// A thread for each element of y.
__global__ void projected_down(const float* hidden, const float* down_proj, float* y, int tokens,
                               int features, int up_features) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= tokens * features) return;
  const int i = index / features;
  const int k = index % features;
  float sum = 0.0f;
  for (int begin = 0; begin < up_features; begin += kBlock) {
    const int end = min(begin + kBlock, up_features);
    float part = 0.0f;
    for (int u = begin; u < end; ++u) {
      part += hidden[i * up_features + u] * down_proj[k * up_features + u];
    }
    sum += part;
  }
  y[index] = sum;
}

// As many blocks as give each of `count` elements a thread.
int blocks_for(int64_t count) {
  TORCH_CHECK(count > 0 && count <= INT32_MAX - kThreads, "a launch must be for 1 to 2^31 - ",
              kThreads, " elements, not ", count);
  return (count + kThreads - 1) / kThreads;
}

}  // namespace

torch::Tensor forward(torch::Tensor x, torch::Tensor gate_proj, torch::Tensor up_proj,
                      torch::Tensor down_proj) {
  CHECK_INPUT(x);
  CHECK_INPUT(gate_proj);
  CHECK_INPUT(up_proj);
  CHECK_INPUT(down_proj);
  TORCH_CHECK(x.dim() >= 2 && gate_proj.dim() == 2 && up_proj.dim() == 2 && down_proj.dim() == 2,
              "x must be (batch, tokens, features), and the weights matrices");
  const int features = x.size(-1);
  const int up_features = gate_proj.size(0);
  TORCH_CHECK(features > 0 && gate_proj.size(1) == features && up_proj.size(0) == up_features &&
                  up_proj.size(1) == features && down_proj.size(0) == features &&
                  down_proj.size(1) == up_features,
              "gate_proj and up_proj must be (up, features) and down_proj (features, up)");
  const int tokens = x.numel() / features;
  const c10::cuda::CUDAGuard guard(x.device());
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  torch::Tensor hidden = torch::empty({tokens, up_features}, x.options());
  torch::Tensor y = torch::empty_like(x);
  gated<<<blocks_for(hidden.numel()), kThreads, 0, stream>>>(
      x.data_ptr<float>(), gate_proj.data_ptr<float>(), up_proj.data_ptr<float>(),
      hidden.data_ptr<float>(), tokens, features, up_features);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  projected_down<<<blocks_for(y.numel()), kThreads, 0, stream>>>(
      hidden.data_ptr<float>(), down_proj.data_ptr<float>(), y.data_ptr<float>(), tokens, features,
      up_features);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "Gated feed-forward block");
}
