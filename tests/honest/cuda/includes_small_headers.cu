// Torch's headers for one thing each, as a project includes them that compiles them itself.
#include <ATen/core/TensorBase.h>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/ops/empty.h>
#include <c10/cuda/CUDAException.h>
#include <torch/csrc/utils/pybind.h>

__global__ void linear(const float* x, const float* weights, const float* biases, float* y,
                       int64_t rows, int64_t in, int64_t out) {
  const int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (i >= rows * out) return;
  double sum = biases[i % out];
  for (int64_t k = 0; k < in; ++k) sum += double{x[i / out * in + k]} * weights[i % out * in + k];
  y[i] = static_cast<float>(sum);
}

at::Tensor forward(const at::Tensor& x, const at::TensorBase& weights, const at::Tensor& biases) {
  at::Tensor y = at::empty({x.size(0), weights.size(0)}, x.options());
  linear<<<(y.numel() + 127) / 128, 128, 0, at::cuda::getCurrentCUDAStream()>>>(
      x.const_data_ptr<float>(), weights.const_data_ptr<float>(), biases.const_data_ptr<float>(),
      y.mutable_data_ptr<float>(), x.size(0), x.size(1), weights.size(0));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
