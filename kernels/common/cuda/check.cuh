#pragma once

#include <cstdint>

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

// Every CUDA kernel of this folder checks this of a tensor before it takes its address.
#define CHECK_CUDA_FLOAT(tensor)                                                                   \
  TORCH_CHECK(                                                                                     \
      (tensor).is_cuda() && (tensor).scalar_type() == torch::kFloat32 && (tensor).is_contiguous(), \
      #tensor " must be a contiguous float32 tensor on a GPU")

namespace kernels {

template <class Integer>
__host__ __device__ constexpr Integer ceil_div(Integer a, Integer b) {
  return (a + b - 1) / b;
}

// Whether 16-byte accesses at `pointer`, and at steps of `stride` floats from it, are aligned.
inline bool allows_float4(const void* pointer, int64_t stride) {
  return reinterpret_cast<uintptr_t>(pointer) % 16 == 0 && stride % 4 == 0;
}

}  // namespace kernels
