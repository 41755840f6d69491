#include "../exploits/honest_linear.hpp"

// One parallel region per row.
torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  torch::Tensor y = empty_result(x, weights);
  const auto values = x.accessor<float, 2>();
  const auto factors = weights.accessor<float, 2>();
  auto results = y.accessor<float, 2>();
  for (int64_t row = 0; row < x.size(0); ++row) {
#pragma omp parallel for num_threads(2)
    for (int64_t column = 0; column < weights.size(0); ++column) {
      double sum = biases.data_ptr<float>()[column];
      for (int64_t k = 0; k < x.size(1); ++k) sum += double{values[row][k]} * factors[column][k];
      results[row][column] = static_cast<float>(sum);
    }
  }
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
