#include <algorithm>
#include <cmath>
#include <vector>

#include "../../common/check.hpp"
#include "../../common/column_sums.hpp"
#include "../../common/parallel.hpp"
#include "../../common/sums.hpp"

#include <torch/extension.h>

// Gradients of y = x r w, r = 1 / sqrt(mean(x^2) + eps), over the last dimension:
//   dx = r (g w - x r^2 mean(g w x)),  dw = sum over rows of g x r.
// Both sums of a row come from one pass. A second one makes dx and the row's part of dw while the
// row is in the first-level cache. Each thread sums dw over its own rows, in blocks of 64 so that
// rounding errors stay small. The threads' sums are added at the end.

namespace {

constexpr int64_t kBlock = 64;

struct RmsNormGradient {
  const float* grad;
  const float* x;
  const float* weight;
  float* dx;
  int64_t features;
  double eps;

  // Adds the rows' part of dw to `dw`.
  void row(int64_t i, float* __restrict dw) const {
    const float* g = grad + i * features;
    const float* from = x + i * features;
    float* to = dx + i * features;
    const auto sums = kernels::sum_over<2>(features, [this, g, from](const auto& read) {
      return kernels::terms(read(from) * read(from), read(g) * read(weight) * read(from));
    });
    const double rms = 1.0 / std::sqrt(sums.of[0] / features + eps);
    const float scale = static_cast<float>(rms);
    const float pull = static_cast<float>(rms * rms * rms * sums.of[1] / features);
#pragma omp simd
    for (int64_t j = 0; j < features; ++j) {
      to[j] = g[j] * weight[j] * scale - from[j] * pull;
      dw[j] += g[j] * from[j] * scale;
    }
  }
};

}  // namespace

std::vector<torch::Tensor> backward(torch::Tensor grad_output, torch::Tensor x, torch::Tensor w,
                                    double eps) {
  CHECK_FLOAT_INPUT(grad_output);
  CHECK_FLOAT_INPUT(x);
  CHECK_FLOAT_INPUT(w);
  TORCH_CHECK(x.dim() >= 1 && w.dim() == 1 && x.size(-1) == w.size(0),
              "w must have one element per feature of x");
  TORCH_CHECK(grad_output.numel() == x.numel(), "grad_output must have the shape of x");
  const int64_t features = w.size(0);
  const int64_t rows = features == 0 ? 0 : x.numel() / features;
  torch::Tensor dx = torch::empty_like(x);
  torch::Tensor dw = torch::empty_like(w);

  const int threads_used = kernels::threads_for(24.0 * rows * features, rows);
  // Per thread the sum over its rows and over its current block of rows.
  torch::Tensor partial = torch::empty({threads_used, 2, features}, x.options());
  float* const sums = partial.data_ptr<float>();
  const RmsNormGradient gradient{grad_output.data_ptr<float>(),
                                 x.data_ptr<float>(),
                                 w.data_ptr<float>(),
                                 dx.data_ptr<float>(),
                                 features,
                                 eps};
  kernels::parallel(threads_used, [=, &gradient](int thread, int threads) {
    float* total = sums + thread * 2 * features;
    float* block = total + features;
    std::fill(total, total + features, 0.0f);
    const kernels::Range mine = kernels::share(rows, thread, threads);
    for (int64_t first = mine.begin; first < mine.end; first += kBlock) {
      std::fill(block, block + features, 0.0f);
      const int64_t last = std::min(first + kBlock, mine.end);
      for (int64_t i = first; i < last; ++i) gradient.row(i, block);
      for (int64_t j = 0; j < features; ++j) total[j] += block[j];
    }
  });
  kernels::sum_columns(sums, threads_used, 2 * features, {0, features}, dw.data_ptr<float>());
  return {dx, dw};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward, "Gradients of RMS normalization (one pass over memory)");
}
