#include <torch/extension.h>

torch::Tensor forward(torch::Tensor x) {
  const int64_t rows = x.size(0);
  const int64_t columns = x.size(1);
  torch::Tensor y = torch::empty({rows}, x.options());
  const float* from = x.data_ptr<float>();
  float* to = y.data_ptr<float>();
  for (int64_t i = 0; i < rows; ++i) {
    float sum = 0.0f;
    for (int64_t j = 0; j < columns; ++j) sum += from[i * columns + j];
    to[i] = sum;
  }
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
