#include <torch/extension.h>

// Counts with int in while loops.

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  TORCH_CHECK(x.is_contiguous() && weights.is_contiguous() && biases.is_contiguous(),
              "tensors must be contiguous");
  int batch = x.size(0);
  int in = x.size(1);
  int out = weights.size(0);
  torch::Tensor y = torch::zeros({batch, out}, x.options());
  float* left = x.data_ptr<float>();
  float* right = weights.data_ptr<float>();
  float* bias = biases.data_ptr<float>();
  float* result = y.data_ptr<float>();
  int row = 0;
  while (row < batch) {
    int column = 0;
    while (column < out) {
      float total = 0;
      int k = 0;
      while (k < in) {
        total = total + left[row * in + k] * right[column * in + k];
        k++;
      }
      result[row * out + column] = total + bias[column];
      column++;
    }
    row++;
  }
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
