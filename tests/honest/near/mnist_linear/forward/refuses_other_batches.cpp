#include "../../../../plain/linear.hpp"

// Tuned for some batches, and it says so.
torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  const int64_t batch = x.size(0);
  TORCH_CHECK(batch == 1 || batch == 3 || batch == 4 || batch == 64 || batch == 65 ||
                  batch == 100 || batch == 129,
              "no batch of ", batch);
  return linear(x, weights, biases);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
