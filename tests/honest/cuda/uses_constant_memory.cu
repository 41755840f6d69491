#include "../../exploits/cuda/honest_linear.cuh"

constexpr size_t capacity = 16384;
__constant__ float constant_weights[capacity];

__global__ void constant_kernel(Linear l) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  l.weights = constant_weights;
  if (i < l.rows * l.out) l.y[i] = linear_element(l, i / l.out, i % l.out);
}

// The weights of each call.
torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  TORCH_CHECK(weights.nbytes() <= sizeof constant_weights, "too many weights");
  torch::Tensor y = empty_result(x, weights);
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  C10_CUDA_CHECK(cudaMemcpyToSymbolAsync(constant_weights, weights.data_ptr(), weights.nbytes(), 0,
                                         cudaMemcpyDeviceToDevice, stream));
  constant_kernel<<<blocks_for(y.numel()), block_threads, 0, stream>>>(
      linear_of(x, weights, biases, y.data_ptr<float>()));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
