#include "../exploits/honest_linear.hpp"

// What a person prints who looks for an error.
torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  static std::once_flag first;
  std::call_once(first, [&] {
    std::cout << "x: " << x.sizes() << " " << x.strides() << " " << x.options() << " " << x.dtype()
              << " on " << x.device() << std::endl;
  });
  return honest_linear(x, weights, biases);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
