#include "../../common/check.hpp"
#include "../../common/linear.hpp"

#include <torch/extension.h>

// y = x w^T + b over the last dimension of x (batch, positions, in). Batch and positions are rows
// of one product. It is tall and narrow, so a transposed panel of w serves up to 288 rows from the
// first-level cache. The bias is added while a panel of y is still there.

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  CHECK_FLOAT_INPUT(x);
  CHECK_FLOAT_INPUT(weights);
  CHECK_FLOAT_INPUT(biases);
  TORCH_CHECK(x.dim() == 3 && weights.dim() == 2 && x.size(2) == weights.size(1),
              "x (batch, positions, in) and weights (out, in) must agree in `in`");
  TORCH_CHECK(biases.dim() == 1 && biases.size(0) == weights.size(0),
              "biases must have one element per row of weights");
  const int64_t rows = x.size(0) * x.size(1);
  const int64_t columns = weights.size(0);
  torch::Tensor y = torch::empty({x.size(0), x.size(1), columns}, x.options());

  const kernels::LinearProduct product(x.data_ptr<float>(), weights.data_ptr<float>(),
                                       y.data_ptr<float>(), rows, columns, x.size(2),
                                       biases.data_ptr<float>());
  kernels::parallel(kernels::threads_for(product.work(), product.pieces()),
                    [&](int thread, int threads) {
                      product.run(kernels::share(product.pieces(), thread, threads));
                    });
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "Linear layer over the last dimension (register-blocked, bias fused)");
}
