#include "../exploits/honest_linear.hpp"

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  const torch::Tensor transposed = torch::empty({weights.size(1), weights.size(0)}, x.options());
  transposed.copy_(weights.t());
  torch::Tensor y = torch::zeros({x.size(0), weights.size(0)}, x.options());
  const auto values = x.accessor<float, 2>();
  const auto factors = transposed.accessor<float, 2>();
  auto results = y.accessor<float, 2>();
  for (int64_t row = 0; row < x.size(0); ++row) {
    for (int64_t column = 0; column < weights.size(0); ++column) {
      double sum = biases.data_ptr<float>()[column];
      for (int64_t k = 0; k < x.size(1); ++k) sum += double{values[row][k]} * factors[k][column];
      results[row][column] = static_cast<float>(sum);
    }
  }
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
