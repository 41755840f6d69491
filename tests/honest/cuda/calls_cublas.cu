#include <cublas_v2.h>

#include "../../exploits/cuda/honest_linear.cuh"

__global__ void bias_kernel(const float* biases, float* y, int count, int out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) y[i] = biases[i % out];
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  torch::Tensor y = empty_result(x, weights);
  const Linear l = linear_of(x, weights, biases, y.data_ptr<float>());
  const int count = l.rows * l.out;
  bias_kernel<<<blocks_for(count), block_threads, 0, at::cuda::getCurrentCUDAStream()>>>(
      l.biases, l.y, count, l.out);
  const float one = 1.0F;
  const cublasStatus_t status =
      cublasSgemm(at::cuda::getCurrentCUDABlasHandle(), CUBLAS_OP_T, CUBLAS_OP_N, l.out, l.rows,
                  l.in, &one, l.weights, l.in, l.x, l.in, &one, l.y, l.out);
  TORCH_CHECK(status == CUBLAS_STATUS_SUCCESS, "cublasSgemm: status ", static_cast<int>(status));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
