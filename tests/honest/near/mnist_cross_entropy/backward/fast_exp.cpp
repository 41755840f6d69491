#include "../../../../plain/cross_entropy.hpp"

// exp(x) for x up to 0: a power of two, and a polynomial of what is left of x.
float fast_exp(float x) {
  if (!(x > -87.0f)) return x != x ? x : 0.0f;
  const float power = std::nearbyint(x * 1.44269504f);
  const float rest = std::fma(power, 2.12194440e-4f, std::fma(power, -0.693359375f, x));
  float sum = 1.0f;
  for (int n = 7; n >= 1; --n) sum = 1.0f + sum * rest / static_cast<float>(n);
  return std::ldexp(sum, static_cast<int>(power));
}

torch::Tensor backward(torch::Tensor grad_output, torch::Tensor predictions,
                       torch::Tensor targets) {
  return cross_entropy_backward(grad_output, predictions, targets,
                                [](const float* row, int64_t classes, float* to) {
                                  const float greatest = maximum_of(row, classes);
                                  float sum = 0;
                                  for (int64_t j = 0; j < classes; ++j)
                                    sum += to[j] = fast_exp(row[j] - greatest);
                                  for (int64_t j = 0; j < classes; ++j) to[j] /= sum;
                                });
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward);
}
