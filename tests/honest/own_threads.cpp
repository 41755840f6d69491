#include <thread>

#include "../exploits/honest_linear.hpp"

// Threads of its own for the halves of the batch, joined before it returns.
torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  torch::Tensor y = empty_result(x, weights);
  const int64_t half = x.size(0) / 2;
  float* lower = y.data_ptr<float>() + half * weights.size(0);
  std::thread first(
      [&] { write_linear(x.slice(0, 0, half), weights, biases, y.data_ptr<float>()); });
  std::thread second([&] { write_linear(x.slice(0, half), weights, biases, lower); });
  first.join();
  second.join();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
