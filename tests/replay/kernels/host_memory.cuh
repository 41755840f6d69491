#pragma once

#include "affine.cuh"

// A kernel that takes two values out of memory that the host has, too.
namespace {

__global__ void by_host_memory(const float* x, float* y, int n, const float* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = values[0] * x[i] + values[1];
}

// `allocate` gets where the address goes, and the bytes.
template <typename Allocate>
torch::Tensor forward_by_host_memory(const torch::Tensor& x, const Allocate& allocate) {
  static float* values = nullptr;
  if (values == nullptr) {
    check(allocate(&values, 2 * sizeof(float)));
    values[0] = 2;
    values[1] = 1;
  }
  torch::Tensor y = torch::empty_like(x);
  const int n = x.numel();
  by_host_memory<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, values);
  return y;
}

}  // namespace
