#include <vector>

#include "../../common/check.hpp"
#include "../../common/column_sums.hpp"
#include "../../common/gemm.hpp"

#include <torch/extension.h>

// Gradients of y = x w^T + b over the last dimension, with all other dimensions as rows:
//   dx = g w,  dw = g^T x,  db = column sums of g.
// dw is small and sums over many rows. Cutting the product's depth into blocks keeps it fast and
// its rounding errors small. One parallel region does it all.

std::vector<torch::Tensor> backward(torch::Tensor grad_output, torch::Tensor x,
                                    torch::Tensor weights) {
  CHECK_FLOAT_INPUT(grad_output);
  CHECK_FLOAT_INPUT(x);
  CHECK_FLOAT_INPUT(weights);
  TORCH_CHECK(x.dim() >= 2 && weights.dim() == 2 && x.size(-1) == weights.size(1),
              "x (batch, ..., in) and weights (out, in) must agree in `in`");
  const int64_t in = weights.size(1);
  const int64_t out = weights.size(0);
  const int64_t rows = in == 0 ? 0 : x.numel() / in;
  TORCH_CHECK(grad_output.dim() == x.dim() && grad_output.size(-1) == out &&
                  grad_output.numel() == rows * out,
              "grad_output must be (batch, ..., out)");
  torch::Tensor dx = torch::empty_like(x);
  torch::Tensor dw = torch::empty({out, in}, x.options());
  torch::Tensor db = torch::empty({out}, x.options());

  const float* g = grad_output.data_ptr<float>();
  const kernels::Product to_x({g, out, 1}, {weights.data_ptr<float>(), in, 1}, dx.data_ptr<float>(),
                              rows, in, out);
  const kernels::Product to_w({g, 1, out}, {x.data_ptr<float>(), in, 1}, dw.data_ptr<float>(), out,
                              in, rows);
  kernels::parallel(kernels::threads_for(to_x.work() + to_w.work()), [&](int thread, int threads) {
    to_x.run(kernels::share(to_x.pieces(), thread, threads));
    to_w.run(kernels::share(to_w.pieces(), thread, threads));
    kernels::sum_columns(g, rows, out, kernels::share(out, thread, threads), db.data_ptr<float>());
  });
  return {dx, dw, db};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward, "Gradients of a linear layer over the last dimension");
}
