#include <vector>

#include <torch/extension.h>

// Gradients of y = x weights^T + biases:
//   dx = g weights,  dw = g^T x,  db = sum over the batch of g.

#define CHECK_INPUT(tensor)                                                       \
  TORCH_CHECK(!(tensor).is_cuda() && (tensor).scalar_type() == torch::kFloat32 && \
                  (tensor).is_contiguous(),                                       \
              #tensor " must be a contiguous float32 tensor on the CPU")

namespace {

void gradient_of_x(const float* g, const float* weights, float* dx, int64_t batch, int64_t in,
                   int64_t out) {
  for (int64_t i = 0; i < batch; ++i) {
    for (int64_t k = 0; k < in; ++k) {
      float sum = 0.0f;
      for (int64_t o = 0; o < out; ++o) {
        sum += g[i * out + o] * weights[o * in + k];
      }
      dx[i * in + k] = sum;
    }
  }
}

void gradient_of_weights(const float* g, const float* x, float* dw, int64_t batch, int64_t in,
                         int64_t out) {
  for (int64_t o = 0; o < out; ++o) {
    for (int64_t k = 0; k < in; ++k) {
      float sum = 0.0f;
      for (int64_t i = 0; i < batch; ++i) {
        sum += g[i * out + o] * x[i * in + k];
      }
      dw[o * in + k] = sum;
    }
  }
}

void gradient_of_biases(const float* g, float* db, int64_t batch, int64_t out) {
  for (int64_t o = 0; o < out; ++o) {
    float sum = 0.0f;
    for (int64_t i = 0; i < batch; ++i) {
      sum += g[i * out + o];
    }
    db[o] = sum;
  }
}

}  // namespace

std::vector<torch::Tensor> backward(torch::Tensor grad_output, torch::Tensor x,
                                    torch::Tensor weights) {
  CHECK_INPUT(grad_output);
  CHECK_INPUT(x);
  CHECK_INPUT(weights);
  TORCH_CHECK(x.dim() == 2 && weights.dim() == 2 && x.size(1) == weights.size(1),
              "x (batch, in) and weights (out, in) must agree in `in`");
  const int64_t batch = x.size(0);
  const int64_t in = weights.size(1);
  const int64_t out = weights.size(0);
  TORCH_CHECK(grad_output.dim() == 2 && grad_output.size(0) == batch && grad_output.size(1) == out,
              "grad_output must be (batch, out)");
  torch::Tensor dx = torch::empty_like(x);
  torch::Tensor dw = torch::empty({out, in}, x.options());
  torch::Tensor db = torch::empty({out}, x.options());
  const float* g = grad_output.data_ptr<float>();
  gradient_of_x(g, weights.data_ptr<float>(), dx.data_ptr<float>(), batch, in, out);
  gradient_of_weights(g, x.data_ptr<float>(), dw.data_ptr<float>(), batch, in, out);
  gradient_of_biases(g, db.data_ptr<float>(), batch, out);
  return {dx, dw, db};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward, "Gradients of a linear layer");
}
