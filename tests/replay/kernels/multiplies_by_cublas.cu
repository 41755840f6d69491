#include <cublas_v2.h>

#include "affine.cuh"

// The last row of each block of 64 is added by a kernel, the product with 2I comes from cuBLAS.
torch::Tensor forward(torch::Tensor x) {
  constexpr int kSide = 64;
  static cublasHandle_t handle = nullptr;
  static float* twice = nullptr;
  if (handle == nullptr) {
    TORCH_CHECK(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS, "cublasCreate");
    check(cudaMalloc(&twice, kSide * kSide * sizeof(float)));
    float values[kSide * kSide] = {};
    for (int i = 0; i < kSide; ++i) values[i * kSide + i] = 2;
    check(cudaMemcpy(twice, values, sizeof values, cudaMemcpyHostToDevice));
  }
  torch::Tensor y = torch::empty_like(x);
  const int columns = x.numel() / kSide;
  const float one = 1;
  const float zero = 0;
  TORCH_CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, kSide, columns, kSide, &one, twice,
                          kSide, x.data_ptr<float>(), kSide, &zero, y.data_ptr<float>(),
                          kSide) == CUBLAS_STATUS_SUCCESS,
              "cublasSgemm");
  affine(y.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 1, 1);
  return y;
}

MODULE
