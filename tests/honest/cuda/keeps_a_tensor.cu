#include "../../exploits/cuda/honest_linear.cuh"

// A tensor as workspace that grows as needed, and a pointer to it, kept from call to call.
torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  static torch::Tensor workspace;
  static float* sums = nullptr;
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  torch::Tensor y = empty_result(x, weights);
  if (!workspace.defined() || workspace.numel() < y.numel()) {
    workspace = torch::empty({2 * y.numel()}, x.options());
    sums = workspace.data_ptr<float>();
  }
  launch_linear(linear_of(x, weights, biases, sums), stream);
  C10_CUDA_CHECK(
      cudaMemcpyAsync(y.data_ptr<float>(), sums, y.nbytes(), cudaMemcpyDeviceToDevice, stream));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
