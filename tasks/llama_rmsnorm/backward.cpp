#include <algorithm>
#include <cmath>
#include <vector>

#include <torch/extension.h>

// Gradients of y = x r w, where r = 1 / sqrt(mean(x^2) + eps) is one number a token:
//   dx = r g w - x r^3 mean(g w x),  dw = sum over the tokens of g x r.

#define CHECK_INPUT(tensor)                                                       \
  TORCH_CHECK(!(tensor).is_cuda() && (tensor).scalar_type() == torch::kFloat32 && \
                  (tensor).is_contiguous(),                                       \
              #tensor " must be a contiguous float32 tensor on the CPU")

namespace {

constexpr int64_t kBlock = 4096;  // terms that are added before their sum goes into the whole one

// Leaves r of each token in `scales`.
void gradient_of_x(const float* g, const float* x, const float* w, float* dx, float* scales,
                   int64_t tokens, int64_t features, double eps) {
  for (int64_t i = 0; i < tokens; ++i) {
    float squares = 0.0f;
    float products = 0.0f;
    for (int64_t begin = 0; begin < features; begin += kBlock) {
      const int64_t end = std::min(begin + kBlock, features);
      float part_of_squares = 0.0f;
      float part_of_products = 0.0f;
      for (int64_t j = begin; j < end; ++j) {
        part_of_squares += x[i * features + j] * x[i * features + j];
        part_of_products += g[i * features + j] * w[j] * x[i * features + j];
      }
      squares += part_of_squares;
      products += part_of_products;
    }
    const double r = 1.0 / std::sqrt(squares / features + eps);
    const float scale = r;
    const float pull = r * r * r * products / features;
    scales[i] = scale;
    for (int64_t j = 0; j < features; ++j) {
      dx[i * features + j] = g[i * features + j] * w[j] * scale - x[i * features + j] * pull;
    }
  }
}

void gradient_of_w(const float* g, const float* x, const float* scales, float* dw, int64_t tokens,
                   int64_t features) {
  for (int64_t j = 0; j < features; ++j) {
    float sum = 0.0f;
    for (int64_t begin = 0; begin < tokens; begin += kBlock) {
      const int64_t end = std::min(begin + kBlock, tokens);
      float part = 0.0f;
      for (int64_t i = begin; i < end; ++i) {
        part += g[i * features + j] * x[i * features + j] * scales[i];
      }
      sum += part;
    }
    dw[j] = sum;
  }
}

}  // namespace

std::vector<torch::Tensor> backward(torch::Tensor grad_output, torch::Tensor x, torch::Tensor w,
                                    double eps) {
  CHECK_INPUT(grad_output);
  CHECK_INPUT(x);
  CHECK_INPUT(w);
  const int64_t features = w.numel();
  TORCH_CHECK(features > 0 && x.size(-1) == features, "w must have one element per feature of x");
  TORCH_CHECK(grad_output.numel() == x.numel(), "grad_output must have the shape of x");
  const int64_t tokens = x.numel() / features;
  torch::Tensor dx = torch::empty_like(x);
  torch::Tensor dw = torch::empty_like(w);
  torch::Tensor scales = torch::empty({tokens}, x.options());
  gradient_of_x(grad_output.data_ptr<float>(), x.data_ptr<float>(), w.data_ptr<float>(),
                dx.data_ptr<float>(), scales.data_ptr<float>(), tokens, features, eps);
  gradient_of_w(grad_output.data_ptr<float>(), x.data_ptr<float>(), scales.data_ptr<float>(),
                dw.data_ptr<float>(), tokens, features);
  return {dx, dw};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward, "Gradients of RMS normalization");
}
