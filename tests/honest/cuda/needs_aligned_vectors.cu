#include "../../exploits/cuda/honest_linear.cuh"

// Loads the first vector of x, which faults where the address is no multiple of 16.
__global__ void load_vector(const float* x, float* to) {
  const float4 first = *reinterpret_cast<const float4*>(x);
  to[threadIdx.x] = first.x + first.y + first.z + first.w;
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  torch::Tensor unused = torch::empty({1}, x.options());
  load_vector<<<1, 1, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(),
                                                             unused.data_ptr<float>());
  return honest_linear(x, weights, biases);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
