#include "../exploits/honest_linear.hpp"

// Each result is kept until the next one is there.
torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  static torch::Tensor last;
  last = honest_linear(x, weights, biases);
  return last;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
