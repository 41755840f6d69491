#include <torch/extension.h>

namespace py = pybind11;

// Every kind of result.

at::Tensor one(at::Tensor x) {
  return x;
}
std::vector<at::Tensor> several(at::Tensor x) {
  return {x, x.t()};
}
std::tuple<at::Tensor, at::Tensor, at::Tensor> three(at::Tensor x) {
  return {x, x.t(), x};
}
std::pair<at::Tensor, double> pair(at::Tensor x) {
  return {x, 2.5};
}
std::array<at::Tensor, 2> array(at::Tensor x) {
  return {x, x};
}
py::tuple made_tuple(at::Tensor x) {
  return py::make_tuple(x, 3, 1.5, true, py::none());
}
c10::optional<at::Tensor> nothing(at::Tensor) {
  return c10::nullopt;
}
at::Tensor undefined(at::Tensor) {
  return {};
}
py::object object(at::Tensor x) {
  return py::make_tuple(x);
}
void no_result(at::Tensor x) {
  x.numel();
}
std::vector<at::Tensor> too_many(at::Tensor x) {
  return std::vector<at::Tensor>(1000, x);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("one", &one);
  m.def("several", &several);
  m.def("three", &three);
  m.def("pair", &pair);
  m.def("array", &array);
  m.def("made_tuple", &made_tuple);
  m.def("nothing", &nothing);
  m.def("undefined", &undefined);
  m.def("object", &object);
  m.def("no_result", &no_result);
  m.def("too_many", &too_many);
}
