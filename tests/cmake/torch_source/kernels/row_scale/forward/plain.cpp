#include <torch/extension.h>

void forward(torch::Tensor x, torch::Tensor weight, torch::Tensor y) {
  for (int64_t i = 0; i < x.numel(); ++i) {
    y.data_ptr<float>()[i] = x.data_ptr<float>()[i] * weight.data_ptr<float>()[i % x.size(1)];
  }
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
