#include <vector>

#include "../../common/check.hpp"
#include "../../common/flat_conv.hpp"

#include <torch/extension.h>

// Convolution with stride and padding as a product over flat planes (common/flat_conv.hpp). It
// makes one copy of the padded input and no im2col matrix. Work is cut into (image, strip of 512
// positions, 6 output channels), so a batch of one fills all threads, too. The bias is added on the
// way out.

namespace {

constexpr int64_t kStrip = 512;

}  // namespace

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases, int64_t stride,
                      int64_t padding) {
  CHECK_FLOAT_INPUT(x);
  CHECK_FLOAT_INPUT(weights);
  CHECK_FLOAT_INPUT(biases);
  TORCH_CHECK(x.dim() == 4 && weights.dim() == 4 && x.size(1) == weights.size(1),
              "x (batch, in, height, width) and weights (out, in, kh, kw) must agree in `in`");
  TORCH_CHECK(biases.dim() == 1 && biases.size(0) == weights.size(0),
              "biases must have one element per output channel");
  TORCH_CHECK(stride >= 1 && padding >= 0, "stride must be positive and padding not negative");
  TORCH_CHECK(
      x.size(2) + 2 * padding >= weights.size(2) && x.size(3) + 2 * padding >= weights.size(3),
      "the padded image must not be smaller than the kernel");
  const kernels::FlatConv conv{x.size(1),       x.size(2), x.size(3), weights.size(2),
                               weights.size(3), stride,    padding};
  const int64_t batch = x.size(0);
  const int64_t out_channels = weights.size(0);
  const int64_t out_height = conv.out_height();
  const int64_t out_width = conv.out_width();
  const int64_t pitch = conv.pitch();
  const int64_t depth = conv.depth();
  torch::Tensor y = torch::empty({batch, out_channels, out_height, out_width}, x.options());
  torch::Tensor laid_out = torch::empty({batch, conv.planes_size()}, x.options());
  std::vector<int64_t> offsets(depth);
  conv.offsets(offsets.data());

  const float* image = x.data_ptr<float>();
  const float* weight = weights.data_ptr<float>();
  const float* bias = biases.data_ptr<float>();
  float* planes = laid_out.data_ptr<float>();
  float* to = y.data_ptr<float>();
  const int64_t positions = (out_height - 1) * pitch + out_width;
  const int64_t strips = (positions + kStrip - 1) / kStrip;
  const int64_t tiles = kernels::channel_tiles(out_channels);
  const double work = 2.0 * batch * out_channels * depth * positions;
  kernels::parallel(kernels::threads_for(work), [&](int thread, int threads) {
    const kernels::Range inputs = kernels::share(batch * conv.channels, thread, threads);
    for (int64_t i = inputs.begin; i < inputs.end; ++i) {
      const int64_t n = i / conv.channels;
      conv.fill(image + n * conv.channels * conv.height * conv.width, i % conv.channels,
                planes + n * conv.planes_size());
    }
#pragma omp barrier
    alignas(64) float sums[kernels::kTileRows * kStrip];
    const kernels::Range items = kernels::share(batch * strips * tiles, thread, threads);
    for (int64_t item = items.begin; item < items.end; ++item) {
      const kernels::Range channels = kernels::share(out_channels, item % tiles, tiles);
      const int64_t strip = item / tiles % strips;
      const int64_t n = item / tiles / strips;
      const kernels::Range run{strip * kStrip, std::min((strip + 1) * kStrip, positions)};
      kernels::convolve(weight + channels.begin * depth, channels.end - channels.begin,
                        offsets.data(), depth, planes + n * conv.planes_size() + run.begin,
                        run.end - run.begin, sums, kStrip);
      for (int64_t c = channels.begin; c < channels.end; ++c) {
        const float* sum = sums + (c - channels.begin) * kStrip;
        float* plane = to + (n * out_channels + c) * out_height * out_width;
        kernels::for_output_runs(run, pitch, out_width,
                                 [=](int64_t row, int64_t column, int64_t q, int64_t count) {
                                   float* out = plane + row * out_width + column;
                                   for (int64_t j = 0; j < count; ++j)
                                     out[j] = sum[q + j] + bias[c];
                                 });
      }
    }
  });
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "2-D convolution (product over flat planes, bias fused)");
}
