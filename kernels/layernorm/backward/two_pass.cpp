#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../../common/check.hpp"
#include "../../common/parallel.hpp"
#include "../../common/sums.hpp"

#include <torch/extension.h>

// Gradients of y = h w + b, h = (x - mean) r, r = 1 / sqrt(var + eps), over the dimensions of w:
//   dx = r (g w - mean(g w) - h mean(g w h)),  dw = sum over the batch of g h,  db = that of g.
// The first pass goes by chunks of a sample. It makes the mean and squared distance of x. It also
// sums g w, and g w times the distance from the chunk's own mean, so that nothing cancels when
// chunks are combined. The second pass goes by columns. A thread goes down the batch and writes dx
// on the way, with dw and db of its columns in the first-level cache. x and g are read twice, and
// dx, dw and db written once.

namespace {

constexpr int64_t kChunk = 2048;

// Sums over a chunk, or over a sample.
struct Part {
  double mean = 0.0;
  double squares = 0.0;   // of the distances from the mean
  double pull = 0.0;      // g w
  double pull_out = 0.0;  // g w times the distance from the mean
};

Part chunk_part(const float* x, const float* g, const float* w, int64_t count) {
  const auto sum =
      kernels::sum_over<1>(count, [x](const auto& read) { return kernels::terms(read(x)); });
  const float mean = sum.of[0] / count;
  const auto sums = kernels::sum_over<4>(count, [=](const auto& read) {
    const auto distance = read(x) - mean;
    const auto pull = read(g) * read(w);
    return kernels::terms(distance, distance * distance, pull, pull * distance);
  });
  const double shift = static_cast<double>(sums.of[0]) / count;  // what rounding left in `mean`
  return {mean + shift, sums.of[1] - shift * sums.of[0], sums.of[2],
          sums.of[3] - shift * sums.of[2]};
}

// The coefficients for dx of a sample: dx = g w * scale - (x - mean) * slope - offset.
struct Line {
  float mean;
  float scale;
  float slope;
  float offset;
};

template <class SizeOf>
Line combine(const Part* parts, int64_t chunks, int64_t features, double eps,
             const SizeOf& size_of) {
  Part all;
  for (int64_t c = 0; c < chunks; ++c) all.mean += parts[c].mean * size_of(c) / features;
  for (int64_t c = 0; c < chunks; ++c) {
    const double distance = parts[c].mean - all.mean;
    all.squares += parts[c].squares + distance * distance * size_of(c);
    all.pull += parts[c].pull;
    all.pull_out += parts[c].pull_out + distance * parts[c].pull;
  }
  const double r = 1.0 / std::sqrt(all.squares / features + eps);
  return {static_cast<float>(all.mean), static_cast<float>(r),
          static_cast<float>(r * r * r * all.pull_out / features),
          static_cast<float>(r * all.pull / features)};
}

}  // namespace

std::vector<torch::Tensor> backward(torch::Tensor grad_output, torch::Tensor x,
                                    torch::Tensor weight, torch::Tensor bias, double eps,
                                    std::vector<int64_t> normalized_shape) {
  CHECK_FLOAT_INPUT(grad_output);
  CHECK_FLOAT_INPUT(x);
  CHECK_FLOAT_INPUT(weight);
  TORCH_CHECK(grad_output.numel() == x.numel(), "grad_output must have the shape of x");
  TORCH_CHECK(static_cast<int64_t>(normalized_shape.size()) == weight.dim() &&
                  weight.dim() <= x.dim() && bias.numel() == weight.numel(),
              "weight and bias must have the shape normalized_shape");
  for (int64_t d = 1; d <= weight.dim(); ++d) {
    TORCH_CHECK(weight.size(-d) == x.size(-d) &&
                    normalized_shape[normalized_shape.size() - d] == x.size(-d),
                "normalized_shape must be the last dimensions of x");
  }
  const int64_t features = weight.numel();
  const int64_t batch = features == 0 ? 0 : x.numel() / features;
  const int64_t chunks = (features + kChunk - 1) / kChunk;
  torch::Tensor dx = torch::empty_like(x);
  torch::Tensor dweight = torch::empty_like(weight);
  torch::Tensor dbias = torch::empty_like(weight);
  std::vector<Part> parts(batch * chunks);
  std::vector<Line> lines(batch);

  const float* from = x.data_ptr<float>();
  const float* grad = grad_output.data_ptr<float>();
  const float* w = weight.data_ptr<float>();
  float* to = dx.data_ptr<float>();
  float* dw = dweight.data_ptr<float>();
  float* db = dbias.data_ptr<float>();
  const auto size_of = [=](int64_t chunk) { return std::min(kChunk, features - chunk * kChunk); };

  kernels::parallel(kernels::threads_for(30.0 * x.numel()), [&](int thread, int threads) {
    const kernels::Range items = kernels::share(batch * chunks, thread, threads);
    for (int64_t item = items.begin; item < items.end; ++item) {
      const int64_t column = item % chunks * kChunk;
      const int64_t at = item / chunks * features + column;
      parts[item] = chunk_part(from + at, grad + at, w + column, size_of(item % chunks));
    }
#pragma omp barrier
    const kernels::Range samples = kernels::share(batch, thread, threads);
    for (int64_t i = samples.begin; i < samples.end; ++i) {
      lines[i] = combine(parts.data() + i * chunks, chunks, features, eps, size_of);
    }
#pragma omp barrier
    const kernels::Range columns = kernels::share(features, thread, threads, 64);
    for (int64_t j = columns.begin; j < columns.end; j += kChunk) {
      const int64_t count = std::min(kChunk, columns.end - j);
      std::fill(dw + j, dw + j + count, 0.0f);
      std::fill(db + j, db + j + count, 0.0f);
      for (int64_t i = 0; i < batch; ++i) {
        const Line line = lines[i];
        const float* row = from + i * features + j;
        const float* g = grad + i * features + j;
        float* out = to + i * features + j;
#pragma omp simd
        for (int64_t k = 0; k < count; ++k) {
          const float distance = row[k] - line.mean;
          out[k] = g[k] * w[j + k] * line.scale - distance * line.slope - line.offset;
          dw[j + k] += g[k] * distance * line.scale;
          db[j + k] += g[k];
        }
      }
    }
  });
  return {dx, dweight, dbias};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward, "Gradients of layer normalization (chunked sums, two passes)");
}
