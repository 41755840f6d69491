#include "affine.cuh"

torch::Tensor forward(torch::Tensor x) {
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  const int n = x.numel();
  float* temporary = nullptr;
  check(cudaMallocAsync(&temporary, n * sizeof(float), stream));
  torch::Tensor y = torch::empty_like(x);
  affine(x.data_ptr<float>(), temporary, n, 2, 0, stream);
  affine(temporary, y.data_ptr<float>(), n, 1, 1, stream);
  check(cudaFreeAsync(temporary, stream));
  return y;
}

MODULE
