#include "../../exploits/cuda/honest_linear.cuh"

// The columns of x are the rows here.
__global__ void transposed_kernel(Linear l) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= l.rows * l.out) return;
  double sum = l.biases[i % l.out];
  for (int k = 0; k < l.in; ++k) {
    sum += double{l.x[k * l.rows + i / l.out]} * l.weights[i % l.out * l.in + k];
  }
  l.y[i] = static_cast<float>(sum);
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  torch::Tensor y = empty_result(x, weights);
  Linear l = linear_of(x, weights, biases, y.data_ptr<float>());
  const torch::Tensor columns = x.t().contiguous();
  l.x = columns.data_ptr<float>();
  l.weights = weights.contiguous().data_ptr<float>();
  transposed_kernel<<<blocks_for(y.numel()), block_threads>>>(l);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
