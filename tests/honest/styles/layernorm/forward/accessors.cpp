#include <cmath>

#include <torch/extension.h>

// Reaches every element through an accessor, one loop a dimension.

torch::Tensor forward(torch::Tensor x, torch::Tensor weight, torch::Tensor bias, double eps) {
  torch::Tensor y = torch::empty_like(x);
  auto xs = x.accessor<float, 4>();
  auto ws = weight.accessor<float, 3>();
  auto bs = bias.accessor<float, 3>();
  auto ys = y.accessor<float, 4>();
  const auto count = x.size(1) * x.size(2) * x.size(3);
  for (int64_t n = 0; n < xs.size(0); n++) {
    float sum = 0;
    for (int64_t c = 0; c < xs.size(1); c++) {
      for (int64_t h = 0; h < xs.size(2); h++) {
        float of_row = 0;
        for (int64_t w = 0; w < xs.size(3); w++) of_row += xs[n][c][h][w];
        sum += of_row;
      }
    }
    const float mean = sum / count;
    float variance = 0;
    for (int64_t c = 0; c < xs.size(1); c++) {
      for (int64_t h = 0; h < xs.size(2); h++) {
        float of_row = 0;
        for (int64_t w = 0; w < xs.size(3); w++) {
          of_row += (xs[n][c][h][w] - mean) * (xs[n][c][h][w] - mean);
        }
        variance += of_row / count;
      }
    }
    const float deviation = std::sqrt(variance + static_cast<float>(eps));
    for (int64_t c = 0; c < xs.size(1); c++) {
      for (int64_t h = 0; h < xs.size(2); h++) {
        for (int64_t w = 0; w < xs.size(3); w++) {
          ys[n][c][h][w] = (xs[n][c][h][w] - mean) / deviation * ws[c][h][w] + bs[c][h][w];
        }
      }
    }
  }
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
