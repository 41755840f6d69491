#include <cmath>
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
//   3. conv2 and, for the same positions, the downsampling convolution: element (0, 0) of a 1x1
//      kernel of stride s is element (1, 1) of a padded 3x3 one, so it reads the planes of conv1 at
//      other offsets. Both are normalized, added and clipped on the way out.
// Work is cut into (image, strip of positions, 6 output channels), so one image fills all threads.

namespace {

using torch::Tensor;
using OptionalTensor = c10::optional<torch::Tensor>;

constexpr int64_t kStrip = 512;

// A convolution's bias and its batch normalization as y = sum * scale + shift, per channel.
struct Affine {
  std::vector<float> scale;
  std::vector<float> shift;

  Affine(const OptionalTensor& conv_bias, const Tensor& weight, const Tensor& bias,
         const Tensor& mean, const Tensor& variance, double eps)
      : scale(weight.numel()), shift(weight.numel()) {
    CHECK_FLOAT_INPUT(weight);
    CHECK_FLOAT_INPUT(bias);
    CHECK_FLOAT_INPUT(mean);
    CHECK_FLOAT_INPUT(variance);
    const int64_t channels = weight.numel();
    TORCH_CHECK(
        bias.numel() == channels && mean.numel() == channels && variance.numel() == channels,
        "batch normalization needs one weight, bias, mean and variance per channel");
    const float* from_conv = nullptr;
    if (conv_bias.has_value()) {
      CHECK_FLOAT_INPUT(*conv_bias);
      TORCH_CHECK(conv_bias->numel() == channels, "a convolution's bias has the wrong size");
      from_conv = conv_bias->data_ptr<float>();
    }
    for (int64_t c = 0; c < channels; ++c) {
      const double factor =
          weight.data_ptr<float>()[c] / std::sqrt(variance.data_ptr<float>()[c] + eps);
      const double centre = mean.data_ptr<float>()[c] - (from_conv == nullptr ? 0.0 : from_conv[c]);
      scale[c] = static_cast<float>(factor);
      shift[c] = static_cast<float>(bias.data_ptr<float>()[c] - centre * factor);
    }
  }
};

inline float relu(float value) {
  return value < 0.0f ? 0.0f : value;
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
  // Of the same pitch as conv2, width + 2.
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
  const Affine affine1(conv1_bias, bn1_weight, bn1_bias, bn1_mean, bn1_var, eps);
  const Affine affine2(conv2_bias, bn2_weight, bn2_bias, bn2_mean, bn2_var, eps);
  const Affine affine3 = downsample
                             ? Affine(downsample_bias, *downsample_bn_weight, *downsample_bn_bias,
                                      *downsample_bn_mean, *downsample_bn_var, eps)
                             : affine2;
  TORCH_CHECK(static_cast<int64_t>(affine1.scale.size()) == out &&
                  static_cast<int64_t>(affine2.scale.size()) == out &&
                  static_cast<int64_t>(affine3.scale.size()) == out,
              "batch normalization must have one element per output channel");

  const int64_t in = x.size(1);
  Tensor y = torch::empty({batch, out, height, width}, x.options());
  Tensor laid_out = torch::empty({batch, conv1.planes_size()}, x.options());
  Tensor between = torch::empty({batch, conv2.planes_size()}, x.options());
  std::vector<int64_t> offsets1(conv1.depth());
  std::vector<int64_t> offsets2(conv2.depth());
  std::vector<int64_t> offsets3(downsample ? in : 0);
  conv1.offsets(offsets1.data());
  conv2.offsets(offsets2.data());
  for (size_t c = 0; c < offsets3.size(); ++c) offsets3[c] = conv1.offset(c, 1, 1);

  const float* image = x.data_ptr<float>();
  const float* weight1 = conv1_weight.data_ptr<float>();
  const float* weight2 = conv2_weight.data_ptr<float>();
  const float* weight3 = downsample ? downsample_weight->data_ptr<float>() : nullptr;
  float* planes1 = laid_out.data_ptr<float>();
  float* planes2 = between.data_ptr<float>();
  float* to = y.data_ptr<float>();
  const int64_t pitch = conv2.pitch();
  const int64_t positions = (height - 1) * pitch + width;
  const int64_t strips = (positions + kStrip - 1) / kStrip;
  const int64_t tiles = kernels::channel_tiles(out);
  const int64_t items = batch * strips * tiles;
  const double work = 2.0 * batch * out * positions * (conv1.depth() + conv2.depth());
  kernels::parallel(kernels::threads_for(work), [&](int thread, int threads) {
    const kernels::Range inputs = kernels::share(batch * in, thread, threads);
    for (int64_t i = inputs.begin; i < inputs.end; ++i) {
      conv1.fill(image + i / in * in * conv1.height * conv1.width, i % in,
                 planes1 + i / in * conv1.planes_size());
    }
    const kernels::Range middles = kernels::share(batch * conv2.planes_size(), thread, threads);
    std::fill(planes2 + middles.begin, planes2 + middles.end, 0.0f);
#pragma omp barrier
    alignas(64) float sums[kernels::kTileRows * kStrip];
    alignas(64) float identity[kernels::kTileRows * kStrip];
    const kernels::Range mine = kernels::share(items, thread, threads);
    for (int64_t item = mine.begin; item < mine.end; ++item) {
      const kernels::Range channels = kernels::share(out, item % tiles, tiles);
      const int64_t first = item / tiles % strips * kStrip;
      const kernels::Range run{first, std::min(first + kStrip, positions)};
      const int64_t n = item / tiles / strips;
      kernels::convolve(weight1 + channels.begin * conv1.depth(), channels.end - channels.begin,
                        offsets1.data(), conv1.depth(), planes1 + n * conv1.planes_size() + first,
                        run.end - run.begin, sums, kStrip);
      for (int64_t c = channels.begin; c < channels.end; ++c) {
        const float* sum = sums + (c - channels.begin) * kStrip;
        float* plane = planes2 + n * conv2.planes_size() + conv2.offset(c, 1, 1);
        kernels::for_output_runs(
            run, pitch, width, [&](int64_t row, int64_t column, int64_t q, int64_t count) {
              float* middle = plane + row * pitch + column;
              for (int64_t j = 0; j < count; ++j) {
                middle[j] = relu(sum[q + j] * affine1.scale[c] + affine1.shift[c]);
              }
            });
      }
    }
#pragma omp barrier
    for (int64_t item = mine.begin; item < mine.end; ++item) {
      const kernels::Range channels = kernels::share(out, item % tiles, tiles);
      const int64_t first = item / tiles % strips * kStrip;
      const kernels::Range run{first, std::min(first + kStrip, positions)};
      const int64_t n = item / tiles / strips;
      kernels::convolve(weight2 + channels.begin * conv2.depth(), channels.end - channels.begin,
                        offsets2.data(), conv2.depth(), planes2 + n * conv2.planes_size() + first,
                        run.end - run.begin, sums, kStrip);
      if (downsample) {
        kernels::convolve(weight3 + channels.begin * in, channels.end - channels.begin,
                          offsets3.data(), in, planes1 + n * conv1.planes_size() + first,
                          run.end - run.begin, identity, kStrip);
      }
      for (int64_t c = channels.begin; c < channels.end; ++c) {
        const float* sum = sums + (c - channels.begin) * kStrip;
        const float* beside = identity + (c - channels.begin) * kStrip;
        const int64_t plane = (n * out + c) * height * width;
        kernels::for_output_runs(
            run, pitch, width, [&](int64_t row, int64_t column, int64_t q, int64_t count) {
              const int64_t at = plane + row * width + column;
              for (int64_t j = 0; j < count; ++j) {
                const float residual = downsample
                                           ? beside[q + j] * affine3.scale[c] + affine3.shift[c]
                                           : image[at + j];
                to[at + j] = relu(sum[q + j] * affine2.scale[c] + affine2.shift[c] + residual);
              }
            });
      }
    }
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
