#include <torch/extension.h>

namespace py = pybind11;
using namespace py::literals;

// Every kind of parameter, handed back so that the caller sees what arrived.

std::tuple<int64_t, int, double, float, bool> numbers(int64_t a, int b, double c, const float& d,
                                                      bool e) {
  return {a, b, c, d, e};
}

std::vector<at::Tensor> optionals(const c10::optional<at::Tensor>& a,
                                  std::optional<torch::Tensor> b, torch::optional<at::Tensor> c) {
  return {a.has_value() ? *a : at::zeros({1}), b ? b.value() : at::ones({1}),
          c.value_or(at::full({1}, 2, at::kFloat))};
}

std::vector<int64_t> lists(at::IntArrayRef sizes, const std::vector<int64_t>& strides,
                           std::array<int, 2> pair) {
  std::vector<int64_t> all = sizes.vec();
  all.insert(all.end(), strides.begin(), strides.end());
  all.insert(all.end(), pair.begin(), pair.end());
  return all;
}

std::vector<double> sequences(std::tuple<int, int> stride, const std::tuple<double, bool>& mixed,
                              std::pair<float, float> reals) {
  return {static_cast<double>(std::get<0>(stride)),
          static_cast<double>(std::get<1>(stride)),
          std::get<0>(mixed),
          std::get<1>(mixed) ? 1.0 : 0.0,
          reals.first,
          reals.second};
}

at::Tensor tuples(py::tuple saved, const std::vector<at::Tensor>& more, at::TensorList rest) {
  TORCH_CHECK(saved.size() == 3, "expected 3 saved values, got ", saved.size());
  auto first = saved[0].cast<at::Tensor>();
  const auto scale = saved[1].cast<double>();
  const auto shift = py::cast<int64_t>(saved[2]);
  auto result = torch::empty_like(first);
  for (int64_t i = 0; i < first.numel(); ++i) {
    result.data_ptr<float>()[i] = first.data_ptr<float>()[i] * static_cast<float>(scale) +
                                  static_cast<float>(shift) + more[0].data_ptr<float>()[i] +
                                  rest[1].data_ptr<float>()[i];
  }
  return result;
}

std::tuple<double, int64_t, at::Tensor> defaults(at::Tensor x, const at::Tensor& bias, double eps,
                                                 int64_t n) {
  return {eps, n, bias.defined() ? bias : x};
}

at::Tensor wrong_tuple(py::tuple saved) {
  return saved[0].cast<at::Tensor>();
}

at::Tensor first(at::Tensor x) {
  return x;
}
at::Tensor second(at::Tensor, at::Tensor y) {
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.doc() = "parameters";
  m.def("numbers", &numbers, "documented", py::arg("a"), py::arg("b"), py::arg("c"), py::arg("d"),
        py::arg("e"));
  m.def("optionals", &optionals, py::arg("a") = c10::nullopt, py::arg("b") = py::none(),
        "c"_a = std::nullopt);
  m.def("lists", &lists);
  m.def("sequences", &sequences);
  m.def("tuples", &tuples, py::call_guard<py::gil_scoped_release>());
  m.def("defaults", &defaults, py::arg("x").none(false), py::arg("bias") = at::Tensor(),
        py::arg("eps") = 1e-5, py::arg("n") = 3);
  m.def("wrong_tuple", &wrong_tuple);
  m.def("overloaded", &first);
  m.def("overloaded", &second);
  m.def("lambda", [](const at::Tensor& x) { return x.t(); });
}
