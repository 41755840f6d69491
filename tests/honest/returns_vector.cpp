#include <vector>

#include "../exploits/honest_linear_backward.hpp"

std::vector<torch::Tensor> backward(torch::Tensor grad_output, torch::Tensor x,
                                    torch::Tensor weights) {
  return {gradient_of_x(grad_output, weights), gradient_of_weights(grad_output, x)};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward);
}
