#include <torch/extension.h>

// y = max(x weights^T + biases, 0).

#define CHECK_INPUT(tensor)                                                       \
  TORCH_CHECK(!(tensor).is_cuda() && (tensor).scalar_type() == torch::kFloat32 && \
                  (tensor).is_contiguous(),                                       \
              #tensor " must be a contiguous float32 tensor on the CPU")

namespace {

void linear_relu(const float* x, const float* weights, const float* biases, float* y, int64_t batch,
                 int64_t in, int64_t out) {
  for (int64_t i = 0; i < batch; ++i) {
    for (int64_t o = 0; o < out; ++o) {
      float sum = 0.0f;
      for (int64_t k = 0; k < in; ++k) {
        sum += x[i * in + k] * weights[o * in + k];
      }
      const float value = sum + biases[o];
      y[i * out + o] = value < 0.0f ? 0.0f : value;  // NaN stays NaN
    }
  }
}

}  // namespace

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  CHECK_INPUT(x);
  CHECK_INPUT(weights);
  CHECK_INPUT(biases);
  TORCH_CHECK(x.dim() == 2 && weights.dim() == 2 && x.size(1) == weights.size(1),
              "x (batch, in) and weights (out, in) must agree in `in`");
  TORCH_CHECK(biases.numel() == weights.size(0), "biases must have one element per row of weights");
  const int64_t batch = x.size(0);
  const int64_t in = weights.size(1);
  const int64_t out = weights.size(0);
  torch::Tensor y = torch::empty({batch, out}, x.options());
  linear_relu(x.data_ptr<float>(), weights.data_ptr<float>(), biases.data_ptr<float>(),
              y.data_ptr<float>(), batch, in, out);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "Linear layer with ReLU");
}
