// A kernel of two files and a header, whose header a user names by -I.
#include <scaled_sum.hpp>

#include <torch/extension.h>

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  const int64_t rows = x.size(0), inputs = x.size(1), outputs = weights.size(0);
  torch::Tensor y = torch::empty({rows, outputs}, x.options());
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < outputs; ++j) {
      const float* weight = weights.data_ptr<float>() + j * inputs;
      y.data_ptr<float>()[i * outputs + j] =
          scaled_sum(x.data_ptr<float>() + i * inputs, weight, inputs) +
          biases.data_ptr<float>()[j];
    }
  }
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
