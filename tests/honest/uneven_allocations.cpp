#include "../exploits/honest_linear.hpp"

// Many tensors of odd sizes, freed in between.
torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  torch::Tensor y = empty_result(x, weights);
  for (int64_t size = 0; size < 40; ++size) {
    const torch::Tensor scratch = torch::ones({size}, torch::kByte);
    TORCH_CHECK(scratch.numel() == size);
  }
  write_linear(x, weights, biases, y.data_ptr<float>());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
