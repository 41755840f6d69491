#include "../../exploits/cuda/honest_linear.cuh"

constexpr int slice = 64;

// Makes the sums of each slice of the reduction.
__global__ void slice_kernel(Linear l, float* sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= l.rows * l.out) return;
  const int begin = blockIdx.y * slice;
  const int end = min(begin + slice, l.in);
  float sum = 0;
  for (int k = begin; k < end; ++k) {
    sum += l.x[i / l.out * l.in + k] * l.weights[i % l.out * l.in + k];
  }
  sums[blockIdx.y * l.rows * l.out + i] = sum;
}

__global__ void add_kernel(const float* from, float* to, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] += from[i];
}

__global__ void bias_kernel(Linear l) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < l.rows * l.out) l.y[i] += l.biases[i % l.out];
}

// Its kernels share tensors of its own, one of them zeroed and one not.
torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  torch::Tensor y = torch::zeros({x.size(0), weights.size(0)}, x.options());
  const Linear l = linear_of(x, weights, biases, y.data_ptr<float>());
  const int count = l.rows * l.out;
  const int slices = (l.in + slice - 1) / slice;
  const torch::Tensor sums = torch::empty({slices, count}, x.options());
  slice_kernel<<<dim3(blocks_for(count), slices), block_threads>>>(l, sums.data_ptr<float>());
  for (int i = 0; i < slices; ++i) {
    const float* from = sums.data_ptr<float>() + i * count;
    add_kernel<<<blocks_for(count), block_threads>>>(from, l.y, count);
  }
  bias_kernel<<<blocks_for(count), block_threads>>>(l);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
