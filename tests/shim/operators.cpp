#include <ATen/ATen.h>
#include <torch/extension.h>

// Operators that only torch has: arithmetic, reductions, matrices, convolutions. x is 2 x 3.

std::vector<at::Tensor> arithmetic(const at::Tensor& x) {
  at::Tensor in_place = x.clone();
  in_place += x;
  in_place.mul_(2).add_(1);
  return {x * x,
          x - x,
          x + 1.5,
          x / 2.0f,
          1 - x,
          2 / (x + 1),
          -x,
          x.add(x, 3),
          at::relu(x - 2),
          (x + 1).rsqrt(),
          x.pow(2),
          at::exp(x),
          x.clamp(1, 3),
          torch::max(x, -x),
          in_place,
          (x > 2.0),
          x.sqrt().mul(x),
          at::where(x > 2, x, -x)};
}

std::vector<at::Tensor> reductions(const at::Tensor& x) {
  const auto largest = x.max(1);
  return {x.sum(),           x.sum(0),      x.sum({0, 1}, true),      at::mean(x),
          x.mean({1}, true), x.max(),       std::get<0>(largest),     std::get<1>(largest),
          x.argmax(1),       x.softmax(-1), torch::log_softmax(x, 1), x.sum(0, false, at::kDouble)};
}

std::vector<at::Tensor> matrices(const at::Tensor& x) {
  at::Tensor out = at::empty({2, 2}, x.options());
  at::mm_out(out, x, x.t());
  return {at::matmul(x, x.t()),
          x.mm(x.t()),
          torch::linear(x, x),
          at::linear(x, x, at::ones({2})),
          at::addmm(at::ones({2, 2}), x, x.t()),
          out};
}

std::vector<at::Tensor> images(const at::Tensor& x) {
  const at::Tensor image = x.view({1, 1, 2, 3});
  const at::Tensor weight = at::ones({1, 1, 2, 2});
  const int padding = 0;
  return {at::conv2d(image, weight, {}, {1, 1}, {padding, padding}, {1, 1}, 1),
          torch::conv2d(image, weight, at::ones({1}), 1, 1),
          at::max_pool2d(image, {2, 2}),
          at::avg_pool2d(image, 2, 1),
          at::layer_norm(x, {3}, c10::nullopt, c10::nullopt, 1e-5),
          at::cat({x, x}, 1),
          torch::stack({x, x}),
          at::chunk(x, 3, 1)[2],
          at::arange(0, 6, at::kFloat),
          torch::arange(3)};
}

at::Tensor unknown(const at::Tensor& x) {
  return x.mm(x);
}

// One operator result, then memory of the kernel's own: both come from the harness.
std::vector<at::Tensor> mixed(const at::Tensor& x) {
  return {x + 1, at::zeros_like(x), x.t() * 2};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("arithmetic", &arithmetic);
  m.def("reductions", &reductions);
  m.def("matrices", &matrices);
  m.def("images", &images);
  m.def("unknown", &unknown);
  m.def("mixed", &mixed);
}
