#include "../exploits/honest_linear.hpp"

// Its results lie in one buffer of its own, which the next call writes again.
torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  static std::vector<float> buffer;
  const auto count = static_cast<std::size_t>(x.size(0) * weights.size(0));
  if (buffer.size() < count) buffer.resize(count);
  write_linear(x, weights, biases, buffer.data());
  return torch::from_blob(buffer.data(), {x.size(0), weights.size(0)}, x.options());
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
