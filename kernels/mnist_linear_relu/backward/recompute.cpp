#include <vector>

#include "../../common/check.hpp"
#include "../../common/column_sums.hpp"
#include "../../common/linear.hpp"

#include <torch/extension.h>

// Gradients of y = relu(x w^T + b). Neither y nor its sign was saved, so the product is computed
// again. Each panel of it is overwritten while it is in the first-level cache, with the masked
// gradient:
//   g = (y > 0) ? grad_output : 0
// Then dx = g w, dw = g^T x, db = column sums of g follow in the same parallel region behind one
// barrier.

std::vector<torch::Tensor> backward(torch::Tensor grad_output, torch::Tensor x,
                                    torch::Tensor weights, torch::Tensor biases) {
  CHECK_FLOAT_INPUT(grad_output);
  CHECK_FLOAT_INPUT(x);
  CHECK_FLOAT_INPUT(weights);
  CHECK_FLOAT_INPUT(biases);
  TORCH_CHECK(x.dim() == 2 && weights.dim() == 2 && x.size(1) == weights.size(1),
              "x (batch, in) and weights (out, in) must agree in `in`");
  const int64_t batch = x.size(0);
  const int64_t in = x.size(1);
  const int64_t out = weights.size(0);
  TORCH_CHECK(biases.dim() == 1 && biases.size(0) == out,
              "biases must have one element per row of weights");
  TORCH_CHECK(grad_output.dim() == 2 && grad_output.size(0) == batch && grad_output.size(1) == out,
              "grad_output must be (batch, out)");
  torch::Tensor dx = torch::empty({batch, in}, x.options());
  torch::Tensor dw = torch::empty({out, in}, x.options());
  torch::Tensor db = torch::empty({out}, x.options());
  torch::Tensor masked = torch::empty({batch, out}, x.options());

  const float* grad = grad_output.data_ptr<float>();
  float* g = masked.data_ptr<float>();
  const kernels::LinearProduct again(x.data_ptr<float>(), weights.data_ptr<float>(), g, batch, out,
                                     in, biases.data_ptr<float>());
  const kernels::Product to_x({g, out, 1}, {weights.data_ptr<float>(), in, 1}, dx.data_ptr<float>(),
                              batch, in, out);
  const kernels::Product to_w({g, 1, out}, {x.data_ptr<float>(), in, 1}, dw.data_ptr<float>(), out,
                              in, batch);
  const auto mask = [=](int64_t i, int64_t column, float* values, int64_t count) {
    const float* from = grad + i * out + column;
    for (int64_t j = 0; j < count; ++j) {
      values[j] = values[j] > 0.0f ? from[j] : 0.0f;
    }
  };
  const double work = again.work() + to_x.work() + to_w.work();
  kernels::parallel(kernels::threads_for(work), [&](int thread, int threads) {
    again.run(kernels::share(again.pieces(), thread, threads), mask);
#pragma omp barrier
    to_x.run(kernels::share(to_x.pieces(), thread, threads));
    to_w.run(kernels::share(to_w.pieces(), thread, threads));
    kernels::sum_columns(g, batch, out, kernels::share(out, thread, threads), db.data_ptr<float>());
  });
  return {dx, dw, db};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward, "Gradients of a linear layer with ReLU (activation recomputed)");
}
