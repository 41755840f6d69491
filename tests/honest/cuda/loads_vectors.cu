#include "../../exploits/cuda/honest_linear.cuh"

// Four elements a thread, and one thread for each that is left at the end.
__global__ void bias_kernel(const float* products, Linear l) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int count = l.rows * l.out;
  const int vectors = count / 4;
  if (i < vectors) {
    float4 sum = reinterpret_cast<const float4*>(products)[i];
    sum.x += l.biases[4 * i % l.out];
    sum.y += l.biases[(4 * i + 1) % l.out];
    sum.z += l.biases[(4 * i + 2) % l.out];
    sum.w += l.biases[(4 * i + 3) % l.out];
    reinterpret_cast<float4*>(l.y)[i] = sum;
  } else if (i - vectors < count % 4) {
    const int last = 4 * vectors + i - vectors;
    l.y[last] = products[last] + l.biases[last % l.out];
  }
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  const torch::Tensor products = honest_linear(x, weights, torch::zeros_like(biases));
  torch::Tensor y = torch::empty_like(products);
  bias_kernel<<<blocks_for(y.numel()), block_threads>>>(
      products.data_ptr<float>(), linear_of(x, weights, biases, y.data_ptr<float>()));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
