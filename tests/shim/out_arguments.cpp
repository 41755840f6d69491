#include <torch/extension.h>

// Functions that are handed the tensors of their outputs.

void writes(at::Tensor x, at::Tensor y, at::Tensor count) {
  for (int64_t i = 0; i < x.numel(); ++i) y.data_ptr<float>()[i] = x.data_ptr<float>()[i] + 1;
  *count.data_ptr<int64_t>() = x.numel();
}
void writes_nothing(at::Tensor, at::Tensor, at::Tensor) {}
at::Tensor returns_one(at::Tensor, at::Tensor y, at::Tensor) {
  return y;
}
// Whether they are contiguous and new, and what they hold.
std::vector<at::Tensor> looks(at::Tensor x, at::Tensor y, at::Tensor count) {
  TORCH_CHECK(y.is_contiguous() && y.dim() == 2 && count.dim() == 0, "they have other shapes");
  TORCH_CHECK(y.data_ptr() != x.data_ptr() && count.scalar_type() == at::kLong, "not as asked for");
  return {y, count};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("writes", &writes);
  m.def("writes_nothing", &writes_nothing);
  m.def("returns_one", &returns_one);
  m.def("looks", &looks);
}
