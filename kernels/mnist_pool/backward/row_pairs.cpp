#include <algorithm>

#include "../../common/check.hpp"
#include "../../common/parallel.hpp"

#include <torch/extension.h>

// Gradient of 2 x 2 max pooling. Each window's gradient goes to its greatest element, the first of
// equals in reading order. A branch per window would be mispredicted three times in four, so every
// element is written instead: the gradient where it won, else 0. That also spares clearing dx
// first. Rows and columns beyond the last whole window get 0.

namespace {

// Whether b takes the place of a, the greatest so far: also if it is NaN, as torch has it.
inline bool beats(float b, float a) {
  return b > a || b != b;
}

void route_row(const float* __restrict upper, const float* __restrict lower,
               const float* __restrict grad, int64_t count, float* __restrict upper_dx,
               float* __restrict lower_dx) {
#pragma omp simd
  for (int64_t j = 0; j < count; ++j) {
    float greatest = upper[2 * j];
    const bool second = beats(upper[2 * j + 1], greatest);
    greatest = second ? upper[2 * j + 1] : greatest;
    const bool third = beats(lower[2 * j], greatest);
    greatest = third ? lower[2 * j] : greatest;
    const bool fourth = beats(lower[2 * j + 1], greatest);
    upper_dx[2 * j] = !second & !third & !fourth ? grad[j] : 0.0f;
    upper_dx[2 * j + 1] = second & !third & !fourth ? grad[j] : 0.0f;
    lower_dx[2 * j] = third & !fourth ? grad[j] : 0.0f;
    lower_dx[2 * j + 1] = fourth ? grad[j] : 0.0f;
  }
}

}  // namespace

torch::Tensor backward(py::tuple saved, torch::Tensor grad_output) {
  TORCH_CHECK(saved.size() == 1, "saved must hold x alone");
  torch::Tensor x = saved[0].cast<torch::Tensor>();
  CHECK_FLOAT_INPUT(x);
  CHECK_FLOAT_INPUT(grad_output);
  TORCH_CHECK(x.dim() == 4, "x must be (batch, channels, height, width)");
  const int64_t planes = x.size(0) * x.size(1);
  const int64_t height = x.size(2);
  const int64_t width = x.size(3);
  const int64_t out_height = height / 2;
  const int64_t out_width = width / 2;
  TORCH_CHECK(grad_output.numel() == planes * out_height * out_width && grad_output.dim() == 4 &&
                  grad_output.size(3) == out_width,
              "grad_output must be (batch, channels, height / 2, width / 2)");
  torch::Tensor dx = torch::empty_like(x);

  const float* from = x.data_ptr<float>();
  const float* grad = grad_output.data_ptr<float>();
  float* to = dx.data_ptr<float>();
  // A last odd row counts as half a pair.
  const int64_t pairs = (height + 1) / 2;
  const double work = 4.0 * x.numel();
  kernels::parallel(kernels::threads_for(work, planes * pairs), [=](int thread, int threads) {
    const kernels::Range mine = kernels::share(planes * pairs, thread, threads);
    for (int64_t item = mine.begin; item < mine.end; ++item) {
      const int64_t plane = item / pairs;
      const int64_t pair = item % pairs;
      const int64_t at = (plane * height + pair * 2) * width;
      if (pair == out_height) {
        std::fill(to + at, to + at + width, 0.0f);
        continue;
      }
      route_row(from + at, from + at + width, grad + (plane * out_height + pair) * out_width,
                out_width, to + at, to + at + width);
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
