#include <cstring>

#include "../exploits/honest_linear.hpp"

// 100 MB that it needs for a moment.
torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  const torch::Tensor scratch = torch::empty({25 << 20}, x.options());
  float* copy = scratch.data_ptr<float>() + scratch.numel() - weights.numel();
  std::memcpy(copy, weights.data_ptr<float>(), weights.nbytes());
  return honest_linear(x, scratch.slice(0, scratch.numel() - weights.numel()).view(weights.sizes()),
                       biases);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
