#include <cstring>

#include "../../../../plain/linear.hpp"

// Transposed weights are kept until one of their bytes changes.
torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  static std::vector<float> seen;
  static std::vector<float> kept;
  const int64_t out = weights.size(0);
  const int64_t in = weights.size(1);
  const float* from = weights.data_ptr<float>();
  const auto count = static_cast<size_t>(out * in);
  if (seen.size() != count || std::memcmp(seen.data(), from, 4 * count) != 0) {
    seen.assign(from, from + count);
    const torch::Tensor columns = transposed(from, out, in, weights);
    kept.assign(columns.data_ptr<float>(), columns.data_ptr<float>() + count);
  }
  torch::Tensor y = torch::zeros({x.size(0), out}, x.options());
  add_product(x.data_ptr<float>(), kept.data(), y.data_ptr<float>(), x.size(0), in, out);
  add_biases(y, biases);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
