#include "../../exploits/cuda/honest_linear.cuh"

// Memory of its own that grows as needed.
torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  static float* workspace = nullptr;
  static size_t capacity = 0;
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  torch::Tensor y = empty_result(x, weights);
  if (capacity < y.nbytes()) {
    C10_CUDA_CHECK(cudaFree(workspace));
    capacity = 2 * y.nbytes();
    C10_CUDA_CHECK(cudaMalloc(&workspace, capacity));
  }
  launch_linear(linear_of(x, weights, biases, workspace), stream);
  C10_CUDA_CHECK(cudaMemcpyAsync(y.data_ptr<float>(), workspace, y.nbytes(),
                                 cudaMemcpyDeviceToDevice, stream));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
