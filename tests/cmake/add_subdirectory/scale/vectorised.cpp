#include <torch/extension.h>

torch::Tensor forward(torch::Tensor x, torch::Tensor weight) {
  torch::Tensor y = torch::empty_like(x);
  const float factor = weight.data_ptr<float>()[0];
  const float* from = x.data_ptr<float>();
  float* to = y.data_ptr<float>();
#pragma omp simd
  for (int64_t i = 0; i < x.numel(); ++i) to[i] = from[i] * factor;
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
