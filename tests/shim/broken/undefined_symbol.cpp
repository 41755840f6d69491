#include <torch/extension.h>

at::Tensor not_here(at::Tensor x);

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &not_here);
}
