#include "../exploits/honest_linear.hpp"

// A tensor as workspace that grows as needed, and a pointer to it, kept from call to call.
torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  static torch::Tensor workspace;
  static float* sums = nullptr;
  const int64_t needed = x.size(0) * weights.size(0);
  if (!workspace.defined() || workspace.numel() < needed) {
    workspace = torch::empty({2 * needed}, x.options());
    sums = workspace.data_ptr<float>();
  }
  write_linear(x, weights, biases, sums);
  torch::Tensor y = empty_result(x, weights);
  std::copy(sums, sums + needed, y.data_ptr<float>());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
