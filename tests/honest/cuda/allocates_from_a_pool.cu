#include "../../exploits/cuda/honest_linear.cuh"

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  torch::Tensor y = empty_result(x, weights);
  float* sums = nullptr;
  C10_CUDA_CHECK(cudaMallocAsync(&sums, y.nbytes(), stream));
  launch_linear(linear_of(x, weights, biases, sums), stream);
  C10_CUDA_CHECK(
      cudaMemcpyAsync(y.data_ptr<float>(), sums, y.nbytes(), cudaMemcpyDeviceToDevice, stream));
  C10_CUDA_CHECK(cudaFreeAsync(sums, stream));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
