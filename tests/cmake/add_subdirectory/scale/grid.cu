#include <torch/extension.h>

__global__ void scale(const float* x, const float* weight, float* y, int64_t count) {
  const int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (i < count) y[i] = x[i] * *weight;
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weight) {
  torch::Tensor y = torch::empty_like(x);
  constexpr int64_t threads = 256;
  const int64_t blocks = (x.numel() + threads - 1) / threads;
  scale<<<blocks, threads>>>(x.data_ptr<float>(), weight.data_ptr<float>(), y.data_ptr<float>(),
                             x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
