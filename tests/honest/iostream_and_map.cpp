#include <iostream>
#include <map>
#include <sstream>

#include "../exploits/honest_linear.hpp"

// Initialised while the kernel is loaded, as <iostream> itself is.
static const std::map<std::string, int64_t> dimensions{{"rows", 0}, {"columns", 1}};

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  std::ostringstream shape;
  shape << x.size(dimensions.at("rows")) << " x " << x.size(dimensions.at("columns"));
  TORCH_CHECK(x.size(1) == weights.size(1), "x is ", shape.str());
  return honest_linear(x, weights, biases);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
