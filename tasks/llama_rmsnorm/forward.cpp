#include <algorithm>
#include <cmath>

#include <torch/extension.h>

// y = x / sqrt(mean(x^2) + eps) * w. The mean is that of one token, over its features.

#define CHECK_INPUT(tensor)                                                       \
  TORCH_CHECK(!(tensor).is_cuda() && (tensor).scalar_type() == torch::kFloat32 && \
                  (tensor).is_contiguous(),                                       \
              #tensor " must be a contiguous float32 tensor on the CPU")

namespace {

constexpr int64_t kBlock = 4096;  // terms that are added before their sum goes into the whole one

void rms_norm(const float* x, const float* w, float* y, int64_t tokens, int64_t features,
              double eps) {
  for (int64_t i = 0; i < tokens; ++i) {
    float squares = 0.0f;
    for (int64_t begin = 0; begin < features; begin += kBlock) {
      const int64_t end = std::min(begin + kBlock, features);
      float part = 0.0f;
      for (int64_t j = begin; j < end; ++j) {
        part += x[i * features + j] * x[i * features + j];
      }
      squares += part;
    }
    const float scale = 1.0 / std::sqrt(squares / features + eps);
    for (int64_t j = 0; j < features; ++j) {
      y[i * features + j] = x[i * features + j] * scale * w[j];
    }
  }
}

}  // namespace

torch::Tensor forward(torch::Tensor x, torch::Tensor w, double eps) {
  CHECK_INPUT(x);
  CHECK_INPUT(w);
  const int64_t features = w.numel();
  TORCH_CHECK(features > 0 && x.size(-1) == features, "w must have one element per feature of x");
  torch::Tensor y = torch::empty_like(x);
  rms_norm(x.data_ptr<float>(), w.data_ptr<float>(), y.data_ptr<float>(), x.numel() / features,
           features, eps);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "RMS normalization");
}
