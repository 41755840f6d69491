#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "../../common/check.hpp"
#include "../../common/flat_conv.hpp"

#include <torch/extension.h>

// relu(bn2(conv2(relu(bn1(conv1(x))))) + identity), batch normalization in inference mode, identity
// = x or bn(conv1x1(x)). Three phases in one parallel region:
//   1. x is laid out in padded flat planes (common/flat_conv.hpp);
//   2. conv1, its normalization (one scale and shift per channel) and ReLU are written straight
//   into
//      the padded planes that conv2 reads;
//   3. conv2 and, for the same positions, the downsampling convolution, which reads the planes of
//      conv1 at other offsets. Both are normalized, added and clipped on the way out.
// Work is cut into (image, strip of positions, 6 output channels), so one image fills all threads.

namespace {

using torch::Tensor;
using OptionalTensor = c10::optional<torch::Tensor>;

constexpr int64_t kStrip = 512;

// A convolution's bias and its batch normalization as y = sum * scale + shift, per channel.
struct Affine {
  std::vector<float> scale;
  std::vector<float> shift;

  Affine(int64_t channels, const OptionalTensor& conv_bias, const Tensor& weight,
         const Tensor& bias, const Tensor& mean, const Tensor& variance, double eps)
      : scale(channels), shift(channels) {
    CHECK_FLOAT_INPUT(weight);
    CHECK_FLOAT_INPUT(bias);
    CHECK_FLOAT_INPUT(mean);
    CHECK_FLOAT_INPUT(variance);
    TORCH_CHECK(weight.numel() == channels && bias.numel() == channels &&
                    mean.numel() == channels && variance.numel() == channels,
                "batch normalization needs a weight, bias, mean and variance per output channel");
    const float* from_conv = nullptr;
    if (conv_bias.has_value()) {
      CHECK_FLOAT_INPUT(*conv_bias);
      TORCH_CHECK(conv_bias->numel() == channels,
                  "a convolution's bias must have one element per output channel");
      from_conv = conv_bias->data_ptr<float>();
    }
    const float* w = weight.data_ptr<float>();
    const float* b = bias.data_ptr<float>();
    const float* m = mean.data_ptr<float>();
    const float* v = variance.data_ptr<float>();
    for (int64_t c = 0; c < channels; ++c) {
      const double factor = w[c] / std::sqrt(v[c] + eps);
      const double centre = m[c] - (from_conv == nullptr ? 0.0 : from_conv[c]);
      scale[c] = static_cast<float>(factor);
      shift[c] = static_cast<float>(b[c] - centre * factor);
    }
  }
};

inline float relu(float value) {
  return value < 0.0f ? 0.0f : value;
}

// One convolution of the block with all that it reads.
struct Stage {
  kernels::FlatConv conv;
  const float* weight;
  std::vector<int64_t> offsets;
  Affine affine;
  float* planes;  // its laid-out input, all images

  int64_t depth() const { return static_cast<int64_t>(offsets.size()); }
};

struct Block {
  const float* x;
  float* y;
  int64_t batch;
  int64_t out;
  const Stage& first;
  const Stage& second;
  const Stage* downsample;  // null where x itself is added

  int64_t height() const { return second.conv.height; }
  int64_t width() const { return second.conv.width; }
  int64_t pitch() const { return second.conv.pitch(); }
  int64_t positions() const { return (height() - 1) * pitch() + width(); }
  int64_t strips() const { return (positions() + kStrip - 1) / kStrip; }
  int64_t tiles() const { return kernels::channel_tiles(out); }

  // A piece of work: output channels and positions of an image.
  int64_t items() const { return batch * strips() * tiles(); }
  struct Item {
    int64_t image;
    kernels::Range run;
    kernels::Range channels;
  };
  Item item(int64_t index) const {
    const int64_t begin = index / tiles() % strips() * kStrip;
    return {index / tiles() / strips(),
            {begin, std::min(begin + kStrip, positions())},
            kernels::share(out, index % tiles(), tiles())};
  }

  void lay_out(kernels::Range inputs) const {
    const kernels::FlatConv& conv = first.conv;
    for (int64_t i = inputs.begin; i < inputs.end; ++i) {
      const int64_t image = i / conv.channels;
      conv.fill(x + image * conv.channels * conv.height * conv.width, i % conv.channels,
                first.planes + image * conv.planes_size());
    }
  }

  void convolve(const Stage& stage, const Item& at, float* sums) const {
    kernels::convolve(stage.weight + at.channels.begin * stage.depth(),
                      at.channels.end - at.channels.begin, stage.offsets.data(), stage.depth(),
                      stage.planes + at.image * stage.conv.planes_size() + at.run.begin,
                      at.run.end - at.run.begin, sums, kStrip);
  }

  void run_first(const Item& at) const {
    alignas(64) float sums[kernels::kTileRows * kStrip];
    convolve(first, at, sums);
    for (int64_t c = at.channels.begin; c < at.channels.end; ++c) {
      const float* sum = sums + (c - at.channels.begin) * kStrip;
      // Behind the first row and column of padding.
      float* plane =
          second.planes + at.image * second.conv.planes_size() + second.conv.offset(c, 1, 1);
      const float scale = first.affine.scale[c];
      const float shift = first.affine.shift[c];
      kernels::for_output_runs(at.run, pitch(), width(),
                               [&](int64_t row, int64_t column, int64_t q, int64_t count) {
                                 float* to = plane + row * pitch() + column;
                                 for (int64_t j = 0; j < count; ++j) {
                                   to[j] = relu(sum[q + j] * scale + shift);
                                 }
                               });
    }
  }

  void run_second(const Item& at) const {
    alignas(64) float sums[kernels::kTileRows * kStrip];
    alignas(64) float identity[kernels::kTileRows * kStrip];
    convolve(second, at, sums);
    if (downsample != nullptr) convolve(*downsample, at, identity);
    for (int64_t c = at.channels.begin; c < at.channels.end; ++c) {
      const float* sum = sums + (c - at.channels.begin) * kStrip;
      const float* beside = identity + (c - at.channels.begin) * kStrip;
      const int64_t plane = (at.image * out + c) * height() * width();
      const float scale = second.affine.scale[c];
      const float shift =
          second.affine.shift[c] + (downsample != nullptr ? downsample->affine.shift[c] : 0.0f);
      kernels::for_output_runs(
          at.run, pitch(), width(), [&](int64_t row, int64_t column, int64_t q, int64_t count) {
            const int64_t to = plane + row * width() + column;
            const float* residual = downsample != nullptr ? beside + q : x + to;
            const float weight = downsample != nullptr ? downsample->affine.scale[c] : 1.0f;
            for (int64_t j = 0; j < count; ++j) {
              y[to + j] = relu(sum[q + j] * scale + shift + residual[j] * weight);
            }
          });
    }
  }
};

std::vector<int64_t> all_offsets(const kernels::FlatConv& conv) {
  std::vector<int64_t> offsets(conv.depth());
  conv.offsets(offsets.data());
  return offsets;
}

// Element (0, 0) of a 1x1 kernel, as element (1, 1) of a padded 3x3 one.
std::vector<int64_t> centre_offsets(const kernels::FlatConv& conv) {
  std::vector<int64_t> offsets(conv.channels);
  for (int64_t c = 0; c < conv.channels; ++c) offsets[c] = conv.offset(c, 1, 1);
  return offsets;
}

}  // namespace

Tensor forward(Tensor x, Tensor conv1_weight, OptionalTensor conv1_bias, Tensor bn1_weight,
               Tensor bn1_bias, Tensor bn1_mean, Tensor bn1_var, Tensor conv2_weight,
               OptionalTensor conv2_bias, Tensor bn2_weight, Tensor bn2_bias, Tensor bn2_mean,
               Tensor bn2_var, OptionalTensor downsample_weight, OptionalTensor downsample_bias,
               OptionalTensor downsample_bn_weight, OptionalTensor downsample_bn_bias,
               OptionalTensor downsample_bn_mean, OptionalTensor downsample_bn_var, int64_t stride,
               double eps) {
  CHECK_FLOAT_INPUT(x);
  CHECK_FLOAT_INPUT(conv1_weight);
  CHECK_FLOAT_INPUT(conv2_weight);
  TORCH_CHECK(x.dim() == 4 && conv1_weight.dim() == 4 && conv1_weight.size(1) == x.size(1) &&
                  conv1_weight.size(2) == 3 && conv1_weight.size(3) == 3,
              "x must be (batch, in, height, width) and conv1_weight (out, in, 3, 3)");
  const int64_t out = conv1_weight.size(0);
  TORCH_CHECK(conv2_weight.dim() == 4 && conv2_weight.size(0) == out &&
                  conv2_weight.size(1) == out && conv2_weight.size(2) == 3 &&
                  conv2_weight.size(3) == 3,
              "conv2_weight must be (out, out, 3, 3)");
  TORCH_CHECK(stride >= 1, "stride must be positive");
  // conv1's pitch is that of conv2, width + 2.
  const kernels::FlatConv conv1{x.size(1), x.size(2), x.size(3), 3, 3, stride, 1, 2 - 2 / stride};
  const int64_t batch = x.size(0);
  const int64_t height = conv1.out_height();
  const int64_t width = conv1.out_width();
  const kernels::FlatConv conv2{out, height, width, 3, 3, 1, 1};
  const bool downsample = downsample_weight.has_value();
  if (downsample) {
    CHECK_FLOAT_INPUT(*downsample_weight);
    TORCH_CHECK(downsample_weight->numel() == out * x.size(1) && downsample_weight->dim() == 4 &&
                    downsample_weight->size(0) == out,
                "downsample_weight must be (out, in, 1, 1)");
    TORCH_CHECK(downsample_bn_weight.has_value() && downsample_bn_bias.has_value() &&
                    downsample_bn_mean.has_value() && downsample_bn_var.has_value(),
                "downsampling needs its batch normalization");
  } else {
    TORCH_CHECK(stride == 1 && x.size(1) == out,
                "without downsampling the block must keep the shape of x");
  }
  Tensor y = torch::empty({batch, out, height, width}, x.options());
  Tensor laid_out = torch::empty({batch, conv1.planes_size()}, x.options());
  Tensor between = torch::empty({batch, conv2.planes_size()}, x.options());

  const Stage first{conv1, conv1_weight.data_ptr<float>(), all_offsets(conv1),
                    Affine(out, conv1_bias, bn1_weight, bn1_bias, bn1_mean, bn1_var, eps),
                    laid_out.data_ptr<float>()};
  const Stage second{conv2, conv2_weight.data_ptr<float>(), all_offsets(conv2),
                     Affine(out, conv2_bias, bn2_weight, bn2_bias, bn2_mean, bn2_var, eps),
                     between.data_ptr<float>()};
  std::optional<Stage> third;
  if (downsample) {
    third = Stage{conv1, downsample_weight->data_ptr<float>(), centre_offsets(conv1),
                  Affine(out, downsample_bias, *downsample_bn_weight, *downsample_bn_bias,
                         *downsample_bn_mean, *downsample_bn_var, eps),
                  laid_out.data_ptr<float>()};
  }
  const Block block{x.data_ptr<float>(),           y.data_ptr<float>(), batch, out, first, second,
                    downsample ? &*third : nullptr};
  const double work = 2.0 * batch * out * block.positions() * (conv1.depth() + conv2.depth());
  kernels::parallel(kernels::threads_for(work), [&](int thread, int threads) {
    block.lay_out(kernels::share(batch * conv1.channels, thread, threads));
    const kernels::Range padding = kernels::share(batch * conv2.planes_size(), thread, threads);
    std::fill(second.planes + padding.begin, second.planes + padding.end, 0.0f);
#pragma omp barrier
    const kernels::Range mine = kernels::share(block.items(), thread, threads);
    for (int64_t i = mine.begin; i < mine.end; ++i) block.run_first(block.item(i));
#pragma omp barrier
    for (int64_t i = mine.begin; i < mine.end; ++i) block.run_second(block.item(i));
  });
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "ResNet basic block (three fused phases)", py::arg("x"),
        py::arg("conv1_weight"), py::arg("conv1_bias"), py::arg("bn1_weight"), py::arg("bn1_bias"),
        py::arg("bn1_mean"), py::arg("bn1_var"), py::arg("conv2_weight"), py::arg("conv2_bias"),
        py::arg("bn2_weight"), py::arg("bn2_bias"), py::arg("bn2_mean"), py::arg("bn2_var"),
        py::arg("downsample_weight") = c10::nullopt, py::arg("downsample_bias") = c10::nullopt,
        py::arg("downsample_bn_weight") = c10::nullopt,
        py::arg("downsample_bn_bias") = c10::nullopt, py::arg("downsample_bn_mean") = c10::nullopt,
        py::arg("downsample_bn_var") = c10::nullopt, py::arg("stride") = 1, py::arg("eps") = 1e-5);
}
