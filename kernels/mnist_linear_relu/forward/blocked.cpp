#include "../../common/check.hpp"
#include "../../common/linear.hpp"

#include <torch/extension.h>

// y = relu(x w^T + b) as a register-blocked product. Bias and ReLU are applied to each 16-column
// panel while it is still in the first-level cache, so y is written to memory once.

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  CHECK_FLOAT_INPUT(x);
  CHECK_FLOAT_INPUT(weights);
  CHECK_FLOAT_INPUT(biases);
  TORCH_CHECK(x.dim() == 2 && weights.dim() == 2 && x.size(1) == weights.size(1),
              "x (batch, in) and weights (out, in) must agree in `in`");
  TORCH_CHECK(biases.dim() == 1 && biases.size(0) == weights.size(0),
              "biases must have one element per row of weights");
  const int64_t rows = x.size(0);
  const int64_t columns = weights.size(0);
  torch::Tensor y = torch::empty({rows, columns}, x.options());

  const kernels::LinearProduct product(x.data_ptr<float>(), weights.data_ptr<float>(),
                                       y.data_ptr<float>(), rows, columns, x.size(1),
                                       biases.data_ptr<float>());
  kernels::parallel(kernels::threads_for(product.work(), product.pieces()),
                    [&](int thread, int threads) {
                      product.run(kernels::share(product.pieces(), thread, threads),
                                  [](int64_t, int64_t, float* values, int64_t count) {
                                    for (int64_t j = 0; j < count; ++j) {
                                      values[j] = values[j] < 0.0f ? 0.0f : values[j];
                                    }
                                  });
                    });
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "Linear layer with ReLU (register-blocked, bias and ReLU fused)");
}
