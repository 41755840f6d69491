#include <torch/extension.h>

at::Tensor forward(at::Tensor x) {
  return x;
}

TORCH_LIBRARY(kernels, m) {
  m.def("forward", &forward);
}
