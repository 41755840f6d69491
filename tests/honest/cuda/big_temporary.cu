#include "../../exploits/cuda/honest_linear.cuh"

// 100 MB, of which it needs the end.
torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  const torch::Tensor temporary = torch::empty({25'000'000}, x.options());
  torch::Tensor y = empty_result(x, weights);
  float* sums = temporary.data_ptr<float>() + temporary.numel() - y.numel();
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  launch_linear(linear_of(x, weights, biases, sums), stream);
  C10_CUDA_CHECK(
      cudaMemcpyAsync(y.data_ptr<float>(), sums, y.nbytes(), cudaMemcpyDeviceToDevice, stream));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
