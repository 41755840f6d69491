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

inline void check(cudaError_t error) {
  TORCH_CHECK(error == cudaSuccess, cudaGetErrorString(error));
}

}  // namespace

#define MODULE                               \
  PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { \
    m.def("forward", &forward, "2x + 1");    \
  }
