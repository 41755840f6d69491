#include "../exploits/honest_linear.hpp"

static torch::Tensor linear(torch::Tensor x, torch::Tensor weights) {
  return honest_linear(x, weights, torch::zeros({weights.size(0)}, x.options()));
}

static torch::Tensor linear(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  return honest_linear(x, weights, biases);
}

// Both are called forward. The arguments decide, as in Python.
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", py::overload_cast<torch::Tensor, torch::Tensor>(&linear));
  m.def("forward", py::overload_cast<torch::Tensor, torch::Tensor, torch::Tensor>(&linear));
}
