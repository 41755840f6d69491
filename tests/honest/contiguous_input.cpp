#include "../exploits/honest_linear.hpp"

// A copy only where one is needed.
torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  const torch::Tensor columns = weights.t();
  return honest_linear(x.contiguous(), columns.contiguous().t().contiguous(), biases.contiguous());
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
