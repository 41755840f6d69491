#include "../../exploits/cuda/honest_linear.cuh"

// More than the 48 KB that need no permission.
constexpr int shared_bytes = 100 << 10;

// One block, which has all weights beside it.
__global__ void staged_kernel(Linear l) {
  extern __shared__ float staged[];
  for (int i = threadIdx.x; i < l.out * l.in; i += blockDim.x) staged[i] = l.weights[i];
  __syncthreads();
  l.weights = staged;
  for (int i = threadIdx.x; i < l.rows * l.out; i += blockDim.x) {
    l.y[i] = linear_element(l, i / l.out, i % l.out);
  }
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  torch::Tensor y = empty_result(x, weights);
  TORCH_CHECK(weights.nbytes() <= shared_bytes, "too many weights for one block");
  C10_CUDA_CHECK(cudaFuncSetAttribute(staged_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      shared_bytes));
  staged_kernel<<<1, block_threads, shared_bytes>>>(
      linear_of(x, weights, biases, y.data_ptr<float>()));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
