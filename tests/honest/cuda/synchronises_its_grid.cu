#include <cooperative_groups.h>

#include "../../exploits/cuda/honest_linear.cuh"

// Blocks add up what other blocks have computed.
__global__ void grid_kernel(Linear l, float* products) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;
  const int count = l.rows * l.out * l.in;
  for (int i = thread; i < count; i += threads) {
    const int row = i / l.in / l.out;
    const int column = i / l.in % l.out;
    products[i] = l.x[row * l.in + i % l.in] * l.weights[column * l.in + i % l.in];
  }
  cooperative_groups::this_grid().sync();
  for (int i = thread; i < l.rows * l.out; i += threads) {
    double sum = l.biases[i % l.out];
    for (int k = 0; k < l.in; ++k) sum += products[i * l.in + k];
    l.y[i] = static_cast<float>(sum);
  }
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  torch::Tensor y = empty_result(x, weights);
  const torch::Tensor temporary = torch::empty({y.numel() * x.size(1)}, x.options());
  Linear l = linear_of(x, weights, biases, y.data_ptr<float>());
  float* products = temporary.data_ptr<float>();
  void* arguments[] = {&l, &products};
  C10_CUDA_CHECK(cudaLaunchCooperativeKernel(grid_kernel, dim3(16), dim3(block_threads), arguments,
                                             0, at::cuda::getCurrentCUDAStream()));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
