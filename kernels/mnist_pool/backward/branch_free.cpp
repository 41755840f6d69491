#include <algorithm>

#include "../../common/check.hpp"
#include "../../common/parallel.hpp"
#include "../../common/pool_window.hpp"

#include <torch/extension.h>

// Gradient of 2 x 2 max pooling. Each window's gradient goes to its greatest element. All else gets
// 0, also rows and columns beyond the last whole window. Eight windows at a time are compared and
// written, zeros included. Masks replace branches, so dx is not cleared first and nothing is
// mispredicted.

torch::Tensor backward(py::tuple saved, torch::Tensor grad_output) {
  TORCH_CHECK(saved.size() == 1, "saved must hold x alone");
  torch::Tensor x = saved[0].cast<torch::Tensor>();
  CHECK_FLOAT_INPUT(x);
  CHECK_FLOAT_INPUT(grad_output);
  TORCH_CHECK(x.dim() == 4, "x must be (batch, channels, height, width)");
  const int64_t height = x.size(2);
  const int64_t width = x.size(3);
  const int64_t out_height = height / 2;
  const int64_t out_width = width / 2;
  TORCH_CHECK(grad_output.dim() == 4 && grad_output.size(0) == x.size(0) &&
                  grad_output.size(1) == x.size(1) && grad_output.size(2) == out_height &&
                  grad_output.size(3) == out_width,
              "grad_output must be (batch, channels, height / 2, width / 2)");
  torch::Tensor dx = torch::empty_like(x);

  const float* from = x.data_ptr<float>();
  const float* grad = grad_output.data_ptr<float>();
  float* to = dx.data_ptr<float>();
  // A last odd row is half a pair, without windows.
  const int64_t pairs = (height + 1) / 2;
  const int64_t items = x.size(0) * x.size(1) * pairs;
  kernels::parallel(kernels::threads_for(20.0 * x.numel(), items), [=](int thread, int threads) {
    const kernels::Range mine = kernels::share(items, thread, threads);
    for (int64_t item = mine.begin; item < mine.end; ++item) {
      const int64_t plane = item / pairs;
      const int64_t pair = item % pairs;
      const int64_t at = (plane * height + pair * 2) * width;
      if (pair == out_height) {
        std::fill(to + at, to + at + width, 0.0f);
        continue;
      }
      kernels::route_row(from + at, from + at + width,
                         grad + (plane * out_height + pair) * out_width, out_width, to + at,
                         to + at + width);
      if (width % 2 != 0) {
        to[at + width - 1] = 0.0f;
        to[at + 2 * width - 1] = 0.0f;
      }
    }
  });
  return dx;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward, "Gradient of 2 x 2 max pooling (branch-free, one pass)");
}
