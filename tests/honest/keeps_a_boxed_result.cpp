#include "../exploits/honest_linear.hpp"

// The result of a torch operator is kept from call to call and used as a constant.
torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  static const torch::Tensor one = torch::exp(torch::zeros({16}, x.options()));
  torch::Tensor y = honest_linear(x, weights, biases);
  float* values = y.data_ptr<float>();
  for (int64_t i = 0; i < y.numel(); ++i) values[i] *= one.data_ptr<float>()[i % 16];
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
