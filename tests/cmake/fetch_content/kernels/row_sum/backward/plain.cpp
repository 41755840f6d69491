#include <algorithm>

#include <torch/extension.h>

torch::Tensor backward(torch::Tensor grad_output, int64_t columns) {
  const int64_t rows = grad_output.size(0);
  torch::Tensor dx = torch::empty({rows, columns}, grad_output.options());
  const float* from = grad_output.data_ptr<float>();
  float* to = dx.data_ptr<float>();
  for (int64_t i = 0; i < rows; ++i) std::fill_n(to + i * columns, columns, from[i]);
  return dx;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward);
}
