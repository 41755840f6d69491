#include <kernel_parts/dot.hpp>

#include <torch/extension.h>

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  const int64_t in = x.size(1);
  torch::Tensor y = torch::empty({x.size(0), weights.size(0)}, x.options());
  auto results = y.accessor<float, 2>();
  for (int64_t row = 0; row < x.size(0); ++row) {
    for (int64_t column = 0; column < weights.size(0); ++column) {
      results[row][column] = static_cast<float>(
          biases.data_ptr<float>()[column] +
          SCALE * dot(x.data_ptr<float>() + row * in, weights.data_ptr<float>() + column * in, in));
    }
  }
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
