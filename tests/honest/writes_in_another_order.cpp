#include "../exploits/honest_linear.hpp"

// It writes from the last element to the first.
torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  const torch::Tensor reversed = honest_linear(x, weights, biases);
  torch::Tensor y = torch::empty_like(reversed);
  for (int64_t i = y.numel() - 1; i >= 0; --i)
    y.data_ptr<float>()[i] = reversed.data_ptr<float>()[i];
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
