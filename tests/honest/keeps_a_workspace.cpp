#include "../exploits/honest_linear.hpp"

// Memory of its own that it writes anew in every call.
torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  static std::vector<float> workspace;
  workspace.assign(static_cast<size_t>(x.size(0) * weights.size(0)), 0.0F);
  write_linear(x, weights, biases, workspace.data());
  torch::Tensor y = empty_result(x, weights);
  std::copy(workspace.begin(), workspace.end(), y.data_ptr<float>());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
