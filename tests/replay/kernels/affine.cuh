#pragma once

#include <cuda_runtime.h>

#include <c10/cuda/CUDAStream.h>
#include <torch/extension.h>

// Each kernel of this directory returns 2x + 1, in a way of its own.
namespace {

__global__ void affine_kernel(const float* x, float* y, int n, float scale, float shift) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    y[i] = scale * x[i] + shift;
  }
}

inline void affine(const float* x, float* y, int n, float scale, float shift,
                   cudaStream_t stream = nullptr) {
  affine_kernel<<<(n + 255) / 256, 256, 0, stream>>>(x, y, n, scale, shift);
}

// Eight kernels, one after another.
inline torch::Tensor affine_in_eight_kernels(const torch::Tensor& x) {
  torch::Tensor y = torch::empty_like(x);
  const int n = x.numel();
  affine(x.data_ptr<float>(), y.data_ptr<float>(), n, 2, -6);
  for (int i = 0; i < 7; ++i) affine(y.data_ptr<float>(), y.data_ptr<float>(), n, 1, 1);
  return y;
}

inline void check(cudaError_t error) {
  TORCH_CHECK(error == cudaSuccess, cudaGetErrorString(error));
}

}  // namespace

#define MODULE                               \
  PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { \
    m.def("forward", &forward, "2x + 1");    \
  }
