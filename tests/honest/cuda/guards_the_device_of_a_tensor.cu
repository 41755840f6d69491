#include "../../exploits/cuda/honest_linear.cuh"

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>

// FLT_MAX comes along with torch/extension.h.
__global__ void replace_by_sums(const float* sums, float* y, int64_t count) {
  const int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (i < count) y[i] = fminf(sums[i], FLT_MAX);
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  const at::cuda::OptionalCUDAGuard guard(device_of(x));
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  torch::Tensor sums = empty_result(x, weights);
  torch::Tensor y = torch::empty_like(sums);
  launch_linear(linear_of(x, weights, biases, sums.data_ptr<float>()), stream);
  replace_by_sums<<<(y.numel() + 255) / 256, 256, 0, stream>>>(sums.data_ptr<float>(),
                                                               y.data_ptr<float>(), y.numel());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
