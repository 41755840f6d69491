#include "results.hpp"

torch::Tensor products_of(const torch::Tensor& x, const torch::Tensor& weights) {
  torch::Tensor products = torch::zeros({x.size(0), weights.size(0)}, x.options());
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "products_of", [&] {
    const auto rows = x.accessor<scalar_t, 2>();
    const auto columns = weights.accessor<scalar_t, 2>();
    auto sums = products.accessor<scalar_t, 2>();
    for (int64_t row = 0; row < x.size(0); ++row) {
      for (int64_t column = 0; column < weights.size(0); ++column) {
        for (int64_t k = 0; k < x.size(1); ++k) {
          sums[row][column] += rows[row][k] * columns[column][k];
        }
      }
    }
  });
  return products;
}

std::vector<torch::Tensor> forward(torch::Tensor x, torch::Tensor weights,
                                   const c10::optional<torch::Tensor>& biases, double scale) {
  TORCH_CHECK(biases.has_value() && !x.is_cuda(), "x and biases must be CPU tensors");
  return results_of(x, weights, *biases, products_of(x, weights), scale);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, py::arg("x"), py::arg("weights"), py::arg("biases") = c10::nullopt,
        py::arg("scale") = 1.5);
}
