#include <algorithm>
#include <cmath>
#include <vector>

#include "../../common/check.hpp"
#include "../../common/parallel.hpp"
#include "../../common/sums.hpp"

#include <torch/extension.h>

// y = (x - mean) / sqrt(var + eps) * w + b over the dimensions of w. There are two passes over a
// sample, for its moments and for y, by chunks that fit the first-level cache. A chunk is centred
// on its own mean. So its squares are exact to rounding, and chunks combine without cancellation
// (Chan, Golub, LeVeque). With samples enough for all threads, a thread makes both passes over one
// sample at a time. The second pass then reads from its second-level cache. Otherwise all threads
// share the chunks of all samples, so that a batch of one is as parallel as any.

namespace {

constexpr int64_t kChunk = 4096;

struct Moments {
  double mean;
  double squares;  // sum of squared distances from the mean
};

struct LayerNorm {
  const float* x;
  const float* weight;
  const float* bias;
  float* y;
  int64_t features;
  double eps;

  int64_t chunks() const { return (features + kChunk - 1) / kChunk; }
  int64_t size_of(int64_t chunk) const { return std::min(kChunk, features - chunk * kChunk); }

  Moments moments(int64_t sample, int64_t chunk) const {
    const float* from = x + sample * features + chunk * kChunk;
    const int64_t count = size_of(chunk);
    const auto sum = kernels::sum_over<1>(
        count, [from](const auto& read) { return kernels::terms(read(from)); });
    const float mean = sum.of[0] / count;
    const auto sums = kernels::sum_over<2>(count, [from, mean](const auto& read) {
      const auto distance = read(from) - mean;
      return kernels::terms(distance, distance * distance);
    });
    const double shift = static_cast<double>(sums.of[0]) / count;  // what rounding left in `mean`
    return {mean + shift, sums.of[1] - shift * sums.of[0]};
  }

  // Combines the moments of a sample's chunks into those of the whole sample.
  Moments combine(const Moments* parts) const {
    Moments all{0.0, 0.0};
    for (int64_t c = 0; c < chunks(); ++c) all.mean += parts[c].mean * size_of(c) / features;
    for (int64_t c = 0; c < chunks(); ++c) {
      const double distance = parts[c].mean - all.mean;
      all.squares += parts[c].squares + distance * distance * size_of(c);
    }
    return all;
  }

  void write(int64_t sample, kernels::Range part, Moments moments) const {
    const float mean = static_cast<float>(moments.mean);
    const float scale = static_cast<float>(1.0 / std::sqrt(moments.squares / features + eps));
    const float* from = x + sample * features;
    float* to = y + sample * features;
#pragma omp simd
    for (int64_t j = part.begin; j < part.end; ++j) {
      to[j] = (from[j] - mean) * scale * weight[j] + bias[j];
    }
  }
};

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
  torch::Tensor y = torch::empty_like(x);

  const LayerNorm norm{x.data_ptr<float>(),
                       weight.data_ptr<float>(),
                       bias.data_ptr<float>(),
                       y.data_ptr<float>(),
                       features,
                       eps};
  const int64_t chunks = norm.chunks();
  std::vector<Moments> moments(batch * chunks);
  kernels::parallel(kernels::threads_for(12.0 * x.numel()), [&](int thread, int threads) {
    if (batch % threads == 0 || batch > 4 * threads) {
      const kernels::Range samples = kernels::share(batch, thread, threads);
      for (int64_t i = samples.begin; i < samples.end; ++i) {
        for (int64_t c = 0; c < chunks; ++c) moments[i * chunks + c] = norm.moments(i, c);
        norm.write(i, {0, features}, norm.combine(&moments[i * chunks]));
      }
      return;
    }
    const kernels::Range items = kernels::share(batch * chunks, thread, threads);
    for (int64_t item = items.begin; item < items.end; ++item) {
      moments[item] = norm.moments(item / chunks, item % chunks);
    }
#pragma omp barrier
    for (int64_t i = 0; i < batch; ++i) {
      norm.write(i, kernels::share(features, thread, threads, 16),
                 norm.combine(&moments[i * chunks]));
    }
  });
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "Layer normalization (chunked moments, two passes)");
}
