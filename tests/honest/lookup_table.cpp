#include <array>

#include "../exploits/honest_linear.hpp"

// Bit-reversed order of 8 summands, made on first use and kept: a kernel may remember what depends
// on no input.
static const std::array<int64_t, 8>& summation_order() {
  static const std::array<int64_t, 8> order = [] {
    std::array<int64_t, 8> reversed{};
    for (int64_t i = 0; i < 8; ++i) reversed[i] = (i & 1) << 2 | (i & 2) | (i & 4) >> 2;
    return reversed;
  }();
  return order;
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  torch::Tensor y = empty_result(x, weights);
  const auto values = x.accessor<float, 2>();
  const auto factors = weights.accessor<float, 2>();
  auto results = y.accessor<float, 2>();
  for (int64_t row = 0; row < x.size(0); ++row) {
    for (int64_t column = 0; column < weights.size(0); ++column) {
      double sum = biases.data_ptr<float>()[column];
      for (int64_t block = 0; block < x.size(1); block += 8) {
        for (const int64_t i : summation_order()) {
          const int64_t k = block + i;
          if (k < x.size(1)) sum += double{values[row][k]} * factors[column][k];
        }
      }
      results[row][column] = static_cast<float>(sum);
    }
  }
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
