#include "../../exploits/cuda/honest_linear.cuh"

constexpr int half = block_threads / 2;

// All threads of a warp come to a barrier together.
__device__ void arrive(int barrier) {
  __syncwarp();
  asm volatile("bar.arrive %0, %1;" : : "r"(barrier), "r"(block_threads) : "memory");
}

__device__ void wait(int barrier) {
  __syncwarp();
  asm volatile("bar.sync %0, %1;" : : "r"(barrier), "r"(block_threads) : "memory");
}

// Half of the threads make products, and the others add them up. Barrier 1 says that the products
// are there, barrier 2 that they are used.
__global__ void producer_kernel(Linear l) {
  __shared__ float products[half];
  const bool produces = threadIdx.x < half;
  const int lane = threadIdx.x % half;
  for (int i = blockIdx.x; i < l.rows * l.out; i += gridDim.x) {
    const int row = i / l.out;
    const int column = i % l.out;
    double sum = l.biases[column];
    for (int first = 0; first < l.in; first += half) {
      const int k = first + lane;
      if (produces) {
        if (first > 0 || i != blockIdx.x) wait(2);
        products[lane] = k < l.in ? l.x[row * l.in + k] * l.weights[column * l.in + k] : 0.0F;
        arrive(1);
      } else {
        wait(1);
        if (lane == 0) {
          for (const float product : products) sum += product;
        }
        const bool last = first + half >= l.in && i + gridDim.x >= l.rows * l.out;
        if (!last) arrive(2);
      }
    }
    if (threadIdx.x == half) l.y[i] = static_cast<float>(sum);
  }
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  torch::Tensor y = empty_result(x, weights);
  producer_kernel<<<16, block_threads, 0, at::cuda::getCurrentCUDAStream()>>>(
      linear_of(x, weights, biases, y.data_ptr<float>()));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
