#include <thread>

#include "../../exploits/cuda/honest_linear.cuh"

// It needs threads, which evolutions on a GPU refuse unless they are allowed.
torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  torch::Tensor y = empty_result(x, weights);
  const Linear l = linear_of(x, weights, biases, y.data_ptr<float>());
  std::thread([l] { launch_linear(l, cudaStreamPerThread); }).join();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
