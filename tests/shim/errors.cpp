#include <new>
#include <stdexcept>

#include <torch/extension.h>

// How kernels fail.

#define CHECK_CPU(x) TORCH_CHECK(!x.is_cuda(), #x " must be on the CPU")
#define CHECK_CONTIGUOUS(x) TORCH_CHECK(x.is_contiguous(), #x " must be contiguous")

at::Tensor check(at::Tensor x) {
  CHECK_CPU(x);
  CHECK_CONTIGUOUS(x);
  TORCH_CHECK(x.dim() == 5, "expected ", 5, " dimensions, got ", x.dim(), " in ", x.sizes(), ' ',
              x.scalar_type(), " on ", x.device(), " eps ", 0.5, std::string("!"), true, 7U);
  return x;
}
at::Tensor bare_check(at::Tensor x) {
  TORCH_CHECK(x.dim() == 5);
  return x;
}
at::Tensor comparison(at::Tensor x) {
  TORCH_CHECK_EQ(x.dim(), 5);
  return x;
}
at::Tensor caught(at::Tensor x) {
  try {
    TORCH_CHECK(false, "inside");
  } catch (const c10::Error& error) {
    throw std::runtime_error(std::string("again: ") + error.what());
  }
  return x;
}
at::Tensor at_error(at::Tensor) {
  AT_ERROR("refused ", 3);
}
at::Tensor number(at::Tensor) {
  throw 3;
}
at::Tensor bad_alloc(at::Tensor) {
  throw std::bad_alloc();
}
at::Tensor endless(at::Tensor x) {
  std::vector<at::Tensor> all;
  while (true) all.push_back(torch::empty({1 << 20}, x.options()));
}
at::Tensor wrong_pointer(at::Tensor x) {
  x.data_ptr<double>();
  return x;
}
at::Tensor wrong_cast(at::Tensor x) {
  return x[0][0][0];
}
at::Tensor undefined(at::Tensor) {
  return at::Tensor().t();
}
at::Tensor negative(at::Tensor) {
  return at::empty({-1});
}
at::Tensor on_cuda(at::Tensor x) {
  return x.to(torch::kCUDA);
}
at::Tensor dispatch(at::Tensor x) {
  AT_DISPATCH_FLOATING_TYPES(x.to(at::kLong).scalar_type(), "my_kernel", [&] { x.fill_(0); });
  return x;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("check", &check);
  m.def("bare_check", &bare_check);
  m.def("comparison", &comparison);
  m.def("caught", &caught);
  m.def("at_error", &at_error);
  m.def("number", &number);
  m.def("bad_alloc", &bad_alloc);
  m.def("endless", &endless);
  m.def("wrong_pointer", &wrong_pointer);
  m.def("wrong_cast", &wrong_cast);
  m.def("undefined", &undefined);
  m.def("negative", &negative);
  m.def("on_cuda", &on_cuda);
  m.def("dispatch", &dispatch);
}
