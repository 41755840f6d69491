#include "../exploits/honest_linear.hpp"

// Names whose headers torch/extension.h brings along, and which the kernel does not include.
static std::map<int64_t, std::unique_ptr<torch::Tensor>> scratch_of_rows;
static std::mutex scratch_is_used;

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  assert(x.dim() == 2);
  const std::lock_guard<std::mutex> guard(scratch_is_used);
  std::unique_ptr<torch::Tensor>& scratch = scratch_of_rows[x.size(0)];
  if (scratch == nullptr) scratch = std::make_unique<torch::Tensor>(empty_result(x, weights));
  write_linear(x, weights, biases, scratch->data_ptr<float>());
  const auto sum = std::accumulate(x.sizes().begin(), x.sizes().end(), int64_t{0});
  TORCH_CHECK(sum < INT_MAX, "x is too large");
  return scratch->clone();
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
