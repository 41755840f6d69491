#include "../../../../plain/pooling.hpp"

torch::Tensor backward(py::tuple saved, torch::Tensor grad_output) {
  const torch::Tensor x = saved[0].cast<torch::Tensor>();
  return pool_backward(x, grad_output, [](const Window& window, float gradient, float* shares) {
    shares[greatest_in(window)] = gradient;
  });
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward);
}
