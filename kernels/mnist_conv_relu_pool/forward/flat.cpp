#include <vector>

#include "../../common/check.hpp"
#include "../../common/flat_conv.hpp"
#include "../../common/pool_window.hpp"

#include <torch/extension.h>

// max_pool2d(relu(conv2d(x, w) + b), 2). The convolution works on strips of row pairs
// (common/flat_conv.hpp). A strip's results for six output channels stay in the first-level cache.
// Bias, ReLU and pooling take them from there, so only the pooled quarter is ever written to
// memory. ReLU and bias move behind the maximum, since both keep the order of their arguments.
// There are a quarter as many to compute then.

namespace {

constexpr int64_t kStrip = 512;  // about so many positions per strip

inline float greater(float a, float b) {
  return b > a || b != b ? b : a;
}

}  // namespace

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  CHECK_FLOAT_INPUT(x);
  CHECK_FLOAT_INPUT(weights);
  CHECK_FLOAT_INPUT(biases);
  TORCH_CHECK(x.dim() == 4 && weights.dim() == 4 && x.size(1) == weights.size(1),
              "x (batch, in, height, width) and weights (out, in, kh, kw) must agree in `in`");
  TORCH_CHECK(biases.dim() == 1 && biases.size(0) == weights.size(0),
              "biases must have one element per output channel");
  TORCH_CHECK(x.size(2) > weights.size(2) && x.size(3) > weights.size(3),
              "the convolution must leave at least 2 x 2 to pool");
  const kernels::FlatConv conv{x.size(1),       x.size(2), x.size(3), weights.size(2),
                               weights.size(3), 1,         0};
  const int64_t batch = x.size(0);
  const int64_t out_channels = weights.size(0);
  const int64_t pooled_height = conv.out_height() / 2;
  const int64_t pooled_width = conv.out_width() / 2;
  const int64_t pitch = conv.pitch();
  const int64_t depth = conv.depth();
  torch::Tensor y = torch::empty({batch, out_channels, pooled_height, pooled_width}, x.options());
  torch::Tensor laid_out = torch::empty({batch, conv.planes_size()}, x.options());
  std::vector<int64_t> offsets(depth);
  conv.offsets(offsets.data());

  const float* image = x.data_ptr<float>();
  const float* weight = weights.data_ptr<float>();
  const float* bias = biases.data_ptr<float>();
  float* planes = laid_out.data_ptr<float>();
  float* to = y.data_ptr<float>();
  const int64_t pairs_per_strip = std::max<int64_t>(1, kStrip / (2 * pitch));
  const int64_t strips = (pooled_height + pairs_per_strip - 1) / pairs_per_strip;
  const int64_t sums_row = kernels::round_up(pairs_per_strip * 2 * pitch);
  const int64_t tiles = kernels::channel_tiles(out_channels);
  const double work = 8.0 * batch * out_channels * depth * pooled_height * pitch;
  kernels::parallel(kernels::threads_for(work), [&](int thread, int threads) {
    const kernels::Range inputs = kernels::share(batch * conv.channels, thread, threads);
    for (int64_t i = inputs.begin; i < inputs.end; ++i) {
      const int64_t n = i / conv.channels;
      conv.fill(image + n * conv.channels * conv.height * conv.width, i % conv.channels,
                planes + n * conv.planes_size());
    }
#pragma omp barrier
    std::vector<float> sums(kernels::kTileRows * sums_row);
    const kernels::Range items = kernels::share(batch * strips * tiles, thread, threads);
    for (int64_t item = items.begin; item < items.end; ++item) {
      const kernels::Range channels = kernels::share(out_channels, item % tiles, tiles);
      const int64_t n = item / tiles / strips;
      const int64_t first = item / tiles % strips * pairs_per_strip;
      const int64_t last = std::min(first + pairs_per_strip, pooled_height);
      kernels::convolve(weight + channels.begin * depth, channels.end - channels.begin,
                        offsets.data(), depth, planes + n * conv.planes_size() + first * 2 * pitch,
                        (last - first) * 2 * pitch - (pitch - 2 * pooled_width), sums.data(),
                        sums_row);
      for (int64_t c = channels.begin; c < channels.end; ++c) {
        const float* upper = sums.data() + (c - channels.begin) * sums_row;
        float* out = to + ((n * out_channels + c) * pooled_height + first) * pooled_width;
        for (int64_t row = first; row < last; ++row) {
          const float* lower = upper + pitch;
#pragma omp simd
          for (int64_t j = 0; j < pooled_width; ++j) {
            const float value = kernels::greater(kernels::greater(upper[2 * j], upper[2 * j + 1]),
                                                 kernels::greater(lower[2 * j], lower[2 * j + 1])) +
                                bias[c];
            out[j] = value < 0.0f ? 0.0f : value;
          }
          upper += 2 * pitch;
          out += pooled_width;
        }
      }
    }
  });
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "Convolution, ReLU and 2 x 2 max pooling (fused)");
}
