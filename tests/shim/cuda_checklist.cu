#include <pybind11/pybind11.h>

#include <torch/extension.h>

// Uses what published kernels use without its header, and binds as they do. x is 1, 2, ... 6 in 2 x
// 3.

namespace py = pybind11;
using at::IntArrayRef;

#define CHECK_CUDA(x) TORCH_CHECK(x.is_cuda(), #x " must be a CUDA tensor")

__global__ void add_kernel(const float* x, const float* other, float* y, int n, float scale) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i == n) printf("never printed: %d\n", i);
  if (i < n) y[i] = x[i] + (other == nullptr ? 0.0f : scale * other[i]);
}

const char* complaint(bool aligned) {
  return aligned ? "nothing" : "x is not aligned";
}

// A tensor that may be left out.
at::Tensor scaled_sum(const at::Tensor& x, const at::Tensor& other = at::Tensor(),
                      float scale = 1) {
  CHECK_CUDA(x);
  static_assert(std::is_same<decltype(x.size(0)), int64_t>::value, "sizes are int64_t");
  const auto address = reinterpret_cast<uintptr_t>(x.data_ptr<float>());
  TORCH_CHECK(address % 16 == 0, complaint(address % 16 == 0));
  const std::pair<int64_t, int64_t> shape{x.size(0), x.size(-1)};
  if (x.numel() != shape.first * shape.second) {
    throw std::runtime_error(std::string("x has ") + std::to_string(x.dim()) + " dimensions");
  }
  at::Tensor y = torch::empty({shape.first, shape.second}, x.options());
  const int n = static_cast<int>(x.numel());
  const int threads = std::min(n, 4);
  add_kernel<<<(n + threads) / threads, threads>>>(
      x.data_ptr<float>(), other.defined() ? other.data_ptr<float>() : nullptr, y.data_ptr<float>(),
      n, scale);
  return y;
}

// Takes the tensors that a forward has saved as a Python tuple.
std::vector<at::Tensor> of_saved(const at::Tensor& grad, py::tuple saved) {
  TORCH_CHECK(saved.size() == 2, "two tensors were saved, not ", saved.size());
  return {scaled_sum(grad, saved[0].cast<at::Tensor>()),
          scaled_sum(grad, saved[1].cast<at::Tensor>(), 2)};
}

at::Tensor with_21_arguments(at::Tensor x, const c10::optional<at::Tensor>& a,
                             c10::optional<at::Tensor> b, c10::optional<at::Tensor> c,
                             c10::optional<at::Tensor> d, c10::optional<at::Tensor> e,
                             c10::optional<at::Tensor> f, c10::optional<at::Tensor> g,
                             c10::optional<at::Tensor> h, int64_t i, int64_t j, int64_t k, int l,
                             int m, int n, double o, double p, float q, bool r, bool s, bool t) {
  const bool given = a.has_value() || b || c || d || e || f || g || h;
  const auto sum = static_cast<double>(i + j + k + l + m + n) + o + p + q + r + s + t;
  IntArrayRef sizes = x.sizes();
  at::Tensor y = at::zeros(sizes, torch::TensorOptions().dtype(torch::kFloat32).device(x.device()));
  return scaled_sum(given ? *a : y, x, static_cast<float>(sum));
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("scaled_sum", &scaled_sum, "sum", py::arg("x"), py::arg("other") = at::Tensor(),
        py::arg("scale") = 1.0f);
  m.def("of_saved", &of_saved, "both");
  m.def("with_21_arguments", &with_21_arguments, py::arg("x"), py::arg("a") = c10::nullopt,
        py::arg("b") = c10::nullopt, py::arg("c") = c10::nullopt, py::arg("d") = c10::nullopt,
        py::arg("e") = c10::nullopt, py::arg("f") = c10::nullopt, py::arg("g") = c10::nullopt,
        py::arg("h") = c10::nullopt, py::arg("i") = 1, py::arg("j") = 2, py::arg("k") = 3,
        py::arg("l") = 4, py::arg("m") = 5, py::arg("n") = 6, py::arg("o") = 0.5,
        py::arg("p") = 1.5, py::arg("q") = 2.0f, py::arg("r") = true, py::arg("s") = false,
        py::arg("t") = true);
}
