#include <cstdio>

#include "../exploits/honest_linear.hpp"

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  std::printf("x has %ld rows\n", static_cast<long>(x.size(0)));
  std::fprintf(stderr, "[  FAILED  ] nothing\n");
  return honest_linear(x, weights, biases);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
