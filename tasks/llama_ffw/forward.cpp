#include <algorithm>
#include <cmath>

#include <torch/extension.h>

// y = hidden down_proj^T, where hidden = silu(x gate_proj^T) * (x up_proj^T) and
// silu(a) = a / (1 + exp(-a)).

#define CHECK_INPUT(tensor)                                                       \
  TORCH_CHECK(!(tensor).is_cuda() && (tensor).scalar_type() == torch::kFloat32 && \
                  (tensor).is_contiguous(),                                       \
              #tensor " must be a contiguous float32 tensor on the CPU")

namespace {

constexpr int64_t kBlock = 4096;  // terms that are added before their sum goes into the whole one

void gated(const float* x, const float* gate_proj, const float* up_proj, float* hidden,
           int64_t tokens, int64_t features, int64_t up_features) {
  for (int64_t i = 0; i < tokens; ++i) {
    for (int64_t u = 0; u < up_features; ++u) {
      float gate = 0.0f;
      float up = 0.0f;
      for (int64_t begin = 0; begin < features; begin += kBlock) {
        const int64_t end = std::min(begin + kBlock, features);
        float part_of_gate = 0.0f;
        float part_of_up = 0.0f;
        for (int64_t k = begin; k < end; ++k) {
          part_of_gate += x[i * features + k] * gate_proj[u * features + k];
          part_of_up += x[i * features + k] * up_proj[u * features + k];
        }
        gate += part_of_gate;
        up += part_of_up;
      }
      hidden[i * up_features + u] = gate / (1.0f + std::exp(-gate)) * up;
    }
  }
}

void projected_down(const float* hidden, const float* down_proj, float* y, int64_t tokens,
                    int64_t features, int64_t up_features) {
  for (int64_t i = 0; i < tokens; ++i) {
    for (int64_t k = 0; k < features; ++k) {
      float sum = 0.0f;
      for (int64_t begin = 0; begin < up_features; begin += kBlock) {
        const int64_t end = std::min(begin + kBlock, up_features);
        float part = 0.0f;
        for (int64_t u = begin; u < end; ++u) {
          part += hidden[i * up_features + u] * down_proj[k * up_features + u];
        }
        sum += part;
      }
      y[i * features + k] = sum;
    }
  }
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
  const int64_t features = x.size(-1);
  const int64_t up_features = gate_proj.size(0);
  TORCH_CHECK(features > 0 && gate_proj.size(1) == features && up_proj.size(0) == up_features &&
                  up_proj.size(1) == features && down_proj.size(0) == features &&
                  down_proj.size(1) == up_features,
              "gate_proj and up_proj must be (up, features) and down_proj (features, up)");
  const int64_t tokens = x.numel() / features;
  torch::Tensor hidden = torch::empty({tokens, up_features}, x.options());
  torch::Tensor y = torch::empty_like(x);
  gated(x.data_ptr<float>(), gate_proj.data_ptr<float>(), up_proj.data_ptr<float>(),
        hidden.data_ptr<float>(), tokens, features, up_features);
  projected_down(hidden.data_ptr<float>(), down_proj.data_ptr<float>(), y.data_ptr<float>(), tokens,
                 features, up_features);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "Gated feed-forward block");
}
