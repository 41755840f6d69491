#include "streams.cuh"

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

constexpr long long cycles = 200'000;

// Torch has to wait for it. It needs clocks, which evolutions refuse unless they are allowed.
__global__ void slow_copy_kernel(const float* from, float* to, int elements) {
  for (const long long start = clock64(); clock64() - start < cycles;) {
  }
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < elements) to[i] = from[i];
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  static const cudaStream_t side = make_stream();
  static const cudaEvent_t fork = make_event();
  static const cudaEvent_t join = make_event();
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  let_wait(side, stream, fork);
  const torch::Tensor copy = torch::empty_like(x);
  torch::Tensor y;
  {
    const c10::cuda::CUDAStreamGuard guard({side, c10::cuda::current_device()});
    const int elements = static_cast<int>(x.numel());
    slow_copy_kernel<<<(elements + 127) / 128, 128, 0, side>>>(x.data_ptr<float>(),
                                                               copy.data_ptr<float>(), elements);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    y = at::linear(copy, weights, biases);
  }
  let_wait(stream, side, join);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
