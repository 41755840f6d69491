#include "../../exploits/cuda/honest_linear.cuh"

// A thread for each product: sums of floats in an order that differs from call to call.
__global__ void atomic_kernel(Linear l) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= l.rows * l.out * l.in) return;
  const int k = i % l.in;
  const int row = i / l.in / l.out;
  const int column = i / l.in % l.out;
  const float bias = k == 0 ? l.biases[column] : 0.0F;
  atomicAdd(l.y + row * l.out + column, l.x[row * l.in + k] * l.weights[column * l.in + k] + bias);
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  torch::Tensor y = torch::zeros({x.size(0), weights.size(0)}, x.options());
  atomic_kernel<<<blocks_for(y.numel() * x.size(1)), block_threads>>>(
      linear_of(x, weights, biases, y.data_ptr<float>()));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
