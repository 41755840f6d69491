#include "../../../../plain/conv_relu_pool.hpp"

std::vector<torch::Tensor> backward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases,
                                    torch::Tensor grad_output) {
  return conv_relu_pool_backward(x, weights, biases, grad_output, [](const Window& window) {
    const int greatest = greatest_in(window);
    return window.values[greatest] > 0 ? greatest : -1;
  });
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward);
}
