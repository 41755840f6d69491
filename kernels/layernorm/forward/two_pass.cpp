#include <algorithm>
#include <cmath>

#include "../../common/check.hpp"
#include "../../common/parallel.hpp"
#include "../../common/sums.hpp"

#include <torch/extension.h>

// y = (x - mean) / sqrt(var + eps) * w + b over the dimensions of w. A sample may have millions of
// elements and the batch may be 1, so the unit of work is a chunk of a sample that fits the
// first-level cache. First pass: mean and squared distance of each chunk, exact to rounding since
// the chunk is centred on its own mean. The chunks' moments combine without cancellation (Chan,
// Golub, LeVeque). Second pass: write y.

namespace {

constexpr int64_t kChunk = 4096;

struct Moments {
  double mean;
  double squares;  // sum of squared distances from the mean
};

Moments chunk_moments(const float* x, int64_t count) {
  const float mean =
      kernels::sum_over<1>(count, [x](int64_t j) { return kernels::Sums<1>{{x[j]}}; }).of[0] /
      count;
  const auto sums = kernels::sum_over<2>(count, [x, mean](int64_t j) {
    const float distance = x[j] - mean;
    return kernels::Sums<2>{{distance, distance * distance}};
  });
  const double shift = static_cast<double>(sums.of[0]) / count;  // what rounding left in `mean`
  return {mean + shift, sums.of[1] - shift * sums.of[0]};
}

}  // namespace

torch::Tensor forward(torch::Tensor x, torch::Tensor weight, torch::Tensor bias, double eps) {
  CHECK_FLOAT_INPUT(x);
  CHECK_FLOAT_INPUT(weight);
  CHECK_FLOAT_INPUT(bias);
  TORCH_CHECK(weight.dim() <= x.dim() && bias.numel() == weight.numel(),
              "weight and bias must have the shape of the normalized dimensions of x");
  for (int64_t d = 1; d <= weight.dim(); ++d) {
    TORCH_CHECK(weight.size(-d) == x.size(-d), "weight must have the last dimensions of x");
  }
  const int64_t features = weight.numel();
  const int64_t batch = features == 0 ? 0 : x.numel() / features;
  const int64_t chunks = (features + kChunk - 1) / kChunk;
  torch::Tensor y = torch::empty_like(x);
  torch::Tensor moments = torch::empty({batch * chunks, 2}, x.options().dtype(torch::kFloat64));

  const float* from = x.data_ptr<float>();
  const float* w = weight.data_ptr<float>();
  const float* b = bias.data_ptr<float>();
  float* to = y.data_ptr<float>();
  double* parts = moments.data_ptr<double>();
  const auto size_of = [=](int64_t chunk) { return std::min(kChunk, features - chunk * kChunk); };

  kernels::parallel(kernels::threads_for(4.0 * x.numel()), [=](int thread, int threads) {
    const kernels::Range mine = kernels::share(batch * chunks, thread, threads);
    for (int64_t item = mine.begin; item < mine.end; ++item) {
      const int64_t chunk = item % chunks;
      const Moments part =
          chunk_moments(from + item / chunks * features + chunk * kChunk, size_of(chunk));
      parts[2 * item] = part.mean;
      parts[2 * item + 1] = part.squares;
    }
#pragma omp barrier
    int64_t sample = -1;
    float mean = 0.0f;
    float scale = 0.0f;
    for (int64_t item = mine.begin; item < mine.end; ++item) {
      if (item / chunks != sample) {
        sample = item / chunks;
        const double* part = parts + 2 * sample * chunks;
        double sum = 0.0;
        double squares = 0.0;
        for (int64_t c = 0; c < chunks; ++c) sum += part[2 * c] * size_of(c);
        const double centre = sum / features;
        for (int64_t c = 0; c < chunks; ++c) {
          const double distance = part[2 * c] - centre;
          squares += part[2 * c + 1] + distance * distance * size_of(c);
        }
        mean = static_cast<float>(centre);
        scale = static_cast<float>(1.0 / std::sqrt(squares / features + eps));
      }
      const int64_t column = item % chunks * kChunk;
      const int64_t count = size_of(item % chunks);
      const float* row = from + sample * features + column;
      float* out = to + sample * features + column;
#pragma omp simd
      for (int64_t j = 0; j < count; ++j) {
        out[j] = (row[j] - mean) * scale * w[column + j] + b[column + j];
      }
    }
  });
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "Layer normalization (chunked moments, two passes)");
}
