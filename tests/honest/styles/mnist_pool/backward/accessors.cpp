#include <cmath>

#include <torch/extension.h>

// Compares through accessors with if and else, element by element of a window.

torch::Tensor backward(py::tuple saved, torch::Tensor grad_output) {
  auto x = saved[0].cast<torch::Tensor>();
  auto dx = torch::zeros_like(x);
  auto in = x.accessor<float, 4>();
  auto grad = grad_output.accessor<float, 4>();
  auto out = dx.accessor<float, 4>();
  for (int n = 0; n < grad.size(0); ++n) {
    for (int c = 0; c < grad.size(1); ++c) {
      for (int i = 0; i < grad.size(2); ++i) {
        for (int j = 0; j < grad.size(3); ++j) {
          int row = 2 * i, column = 2 * j;
          float greatest = in[n][c][row][column];
          for (int r = 2 * i; r <= 2 * i + 1; ++r) {
            for (int k = 2 * j; k <= 2 * j + 1; ++k) {
              const float candidate = in[n][c][r][k];
              if (candidate > greatest || std::isnan(candidate)) {
                greatest = candidate;
                row = r;
                column = k;
              }
            }
          }
          out[n][c][row][column] = grad[n][c][i][j];
        }
      }
    }
  }
  return dx;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward);
}
