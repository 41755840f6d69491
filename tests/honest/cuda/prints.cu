#include <cstdio>

#include "../../exploits/cuda/honest_linear.cuh"

__global__ void print_kernel(const float* y) {
  printf("[       OK ] y[0] is %f\n", y[0]);
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  torch::Tensor y = honest_linear(x, weights, biases);
  print_kernel<<<1, 1>>>(y.data_ptr<float>());
  std::printf("[  SKIPPED ]\n");
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
