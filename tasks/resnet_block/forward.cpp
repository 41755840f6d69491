#include <cmath>

#include <torch/extension.h>

// y = relu(bn2(conv2(relu(bn1(conv1(x))))) + identity). The convolutions are 3 x 3 with zeros
// around the image, and identity is x or downsample_bn(conv(x, downsample_weight)). Batch
// normalization is that of inference: (v - mean) / sqrt(var + eps) * weight + bias. An input
// channel's terms are added before their sum goes into the whole one. So no sum has thousands of
// terms.

#define CHECK_INPUT(tensor)                                                       \
  TORCH_CHECK(!(tensor).is_cuda() && (tensor).scalar_type() == torch::kFloat32 && \
                  (tensor).is_contiguous(),                                       \
              #tensor " must be a contiguous float32 tensor on the CPU")

namespace {

using torch::Tensor;
using OptionalTensor = c10::optional<torch::Tensor>;

struct Shape {
  int64_t batch;
  int64_t in;
  int64_t height;
  int64_t width;
  int64_t out;
  int64_t kernel_size;
  int64_t stride;
  int64_t padding;
  int64_t out_height;
  int64_t out_width;
};

// `biases` may be null.
void convolve(const float* x, const float* weights, const float* biases, float* y, const Shape& s) {
  for (int64_t n = 0; n < s.batch; ++n) {
    for (int64_t o = 0; o < s.out; ++o) {
      for (int64_t h = 0; h < s.out_height; ++h) {
        for (int64_t w = 0; w < s.out_width; ++w) {
          float sum = biases == nullptr ? 0.0f : biases[o];
          for (int64_t c = 0; c < s.in; ++c) {
            float part = 0.0f;
            for (int64_t i = 0; i < s.kernel_size; ++i) {
              for (int64_t j = 0; j < s.kernel_size; ++j) {
                const int64_t row = h * s.stride + i - s.padding;
                const int64_t column = w * s.stride + j - s.padding;
                if (row >= 0 && row < s.height && column >= 0 && column < s.width) {
                  part += x[((n * s.in + c) * s.height + row) * s.width + column] *
                          weights[((o * s.in + c) * s.kernel_size + i) * s.kernel_size + j];
                }
              }
            }
            sum += part;
          }
          y[((n * s.out + o) * s.out_height + h) * s.out_width + w] = sum;
        }
      }
    }
  }
}

void normalize(float* y, const float* weight, const float* bias, const float* mean,
               const float* var, int64_t batch, int64_t channels, int64_t positions, double eps) {
  for (int64_t n = 0; n < batch; ++n) {
    for (int64_t c = 0; c < channels; ++c) {
      const float scale = weight[c] / std::sqrt(var[c] + eps);
      for (int64_t p = 0; p < positions; ++p) {
        y[(n * channels + c) * positions + p] =
            (y[(n * channels + c) * positions + p] - mean[c]) * scale + bias[c];
      }
    }
  }
}

// NaN stays NaN.
void relu(float* y, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    y[i] = y[i] < 0.0f ? 0.0f : y[i];
  }
}

void add(float* y, const float* identity, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    y[i] += identity[i];
  }
}

Tensor conv_norm(const Tensor& x, const Tensor& conv_weight, const OptionalTensor& conv_bias,
                 const Tensor& weight, const Tensor& bias, const Tensor& mean, const Tensor& var,
                 int64_t stride, double eps) {
  CHECK_INPUT(conv_weight);
  for (const Tensor& parameter : {weight, bias, mean, var}) {
    CHECK_INPUT(parameter);
    TORCH_CHECK(parameter.numel() == conv_weight.size(0),
                "batch normalization needs one weight, bias, mean and var per output channel");
  }
  TORCH_CHECK(conv_weight.dim() == 4 && conv_weight.size(1) == x.size(1) &&
                  conv_weight.size(2) == conv_weight.size(3) && conv_weight.size(2) % 2 == 1,
              "a convolution's weight must be (out, in, size, size) with an odd size");
  const float* biases = nullptr;
  if (conv_bias.has_value()) {
    CHECK_INPUT(*conv_bias);
    TORCH_CHECK(conv_bias->numel() == conv_weight.size(0),
                "a convolution's bias must have one element per output channel");
    biases = conv_bias->data_ptr<float>();
  }
  const int64_t out = conv_weight.size(0);
  const int64_t height = (x.size(2) + stride - 1) / stride;
  const int64_t width = (x.size(3) + stride - 1) / stride;
  const Shape shape{x.size(0), x.size(1),
                    x.size(2), x.size(3),
                    out,       conv_weight.size(2),
                    stride,    conv_weight.size(2) / 2,
                    height,    width};
  Tensor y = torch::empty({x.size(0), out, height, width}, x.options());
  convolve(x.data_ptr<float>(), conv_weight.data_ptr<float>(), biases, y.data_ptr<float>(), shape);
  normalize(y.data_ptr<float>(), weight.data_ptr<float>(), bias.data_ptr<float>(),
            mean.data_ptr<float>(), var.data_ptr<float>(), x.size(0), out, height * width, eps);
  return y;
}

}  // namespace

Tensor forward(Tensor x, Tensor conv1_weight, OptionalTensor conv1_bias, Tensor bn1_weight,
               Tensor bn1_bias, Tensor bn1_mean, Tensor bn1_var, Tensor conv2_weight,
               OptionalTensor conv2_bias, Tensor bn2_weight, Tensor bn2_bias, Tensor bn2_mean,
               Tensor bn2_var, OptionalTensor downsample_weight, OptionalTensor downsample_bias,
               OptionalTensor downsample_bn_weight, OptionalTensor downsample_bn_bias,
               OptionalTensor downsample_bn_mean, OptionalTensor downsample_bn_var, int64_t stride,
               double eps) {
  CHECK_INPUT(x);
  TORCH_CHECK(x.dim() == 4 && stride >= 1,
              "x must be (batch, in, height, width) and stride positive");
  Tensor between =
      conv_norm(x, conv1_weight, conv1_bias, bn1_weight, bn1_bias, bn1_mean, bn1_var, stride, eps);
  relu(between.data_ptr<float>(), between.numel());
  Tensor y =
      conv_norm(between, conv2_weight, conv2_bias, bn2_weight, bn2_bias, bn2_mean, bn2_var, 1, eps);
  Tensor identity = x;
  if (downsample_weight.has_value()) {
    TORCH_CHECK(downsample_bn_weight.has_value() && downsample_bn_bias.has_value() &&
                    downsample_bn_mean.has_value() && downsample_bn_var.has_value(),
                "downsampling needs its batch normalization");
    identity = conv_norm(x, *downsample_weight, downsample_bias, *downsample_bn_weight,
                         *downsample_bn_bias, *downsample_bn_mean, *downsample_bn_var, stride, eps);
  }
  TORCH_CHECK(identity.numel() == y.numel(),
              "without downsampling the block must keep the shape of x");
  add(y.data_ptr<float>(), identity.data_ptr<float>(), y.numel());
  relu(y.data_ptr<float>(), y.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "ResNet basic block");
}
