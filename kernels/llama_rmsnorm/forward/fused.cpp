#include <cmath>

#include "../../common/check.hpp"
#include "../../common/parallel.hpp"
#include "../../common/sums.hpp"

#include <torch/extension.h>

// y = x / sqrt(mean(x^2) + eps) * w over the last dimension. A row is summed and scaled while it is
// in the first-level cache, so x is read and y written once. Eager mode makes five passes.

torch::Tensor forward(torch::Tensor x, torch::Tensor w, double eps) {
  CHECK_FLOAT_INPUT(x);
  CHECK_FLOAT_INPUT(w);
  TORCH_CHECK(x.dim() >= 1 && w.dim() == 1 && x.size(-1) == w.size(0),
              "w must have one element per feature of x");
  const int64_t features = w.size(0);
  const int64_t rows = features == 0 ? 0 : x.numel() / features;
  torch::Tensor y = torch::empty_like(x);

  const float* weight = w.data_ptr<float>();
  const float* from = x.data_ptr<float>();
  float* to = y.data_ptr<float>();
  const double work = 12.0 * rows * features;
  kernels::parallel(kernels::threads_for(work, rows), [=](int thread, int threads) {
    const kernels::Range mine = kernels::share(rows, thread, threads);
    for (int64_t i = mine.begin; i < mine.end; ++i) {
      const float* row = from + i * features;
      const auto squares = kernels::sum_over<1>(
          features, [row](const auto& read) { return kernels::terms(read(row) * read(row)); });
      const float scale = static_cast<float>(1.0 / std::sqrt(squares.of[0] / features + eps));
      float* out = to + i * features;
#pragma omp simd
      for (int64_t j = 0; j < features; ++j) out[j] = row[j] * scale * weight[j];
    }
  });
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "RMS normalization (one pass over memory)");
}
