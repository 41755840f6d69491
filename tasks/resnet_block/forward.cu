#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

// y = relu(bn2(conv2(relu(bn1(conv1(x))))) + identity). The convolutions are 3 x 3 with zeros
// around the image, and identity is x or downsample_bn(conv(x, downsample_weight)). Batch
// normalization is that of inference: (v - mean) / sqrt(var + eps) * weight + bias. An input
// channel's terms are added before their sum goes into the whole one. So no sum has thousands of
// terms.

#define CHECK_INPUT(tensor)                                                      \
  TORCH_CHECK((tensor).is_cuda() && (tensor).scalar_type() == torch::kFloat32 && \
                  (tensor).is_contiguous() && (tensor).numel() <= INT32_MAX,     \
              #tensor                                                            \
              " must be a contiguous float32 tensor on a GPU, of at most 2^31 - 1 elements")

namespace {

constexpr int kThreads = 256;  // of a block

using torch::Tensor;
using OptionalTensor = c10::optional<torch::Tensor>;

struct Shape {
  int batch;
  int in;
  int height;
  int width;
  int out;
  int kernel_size;
  int stride;
  int padding;
  int out_height;
  int out_width;
};

// A thread for each element of y. `biases` may be null.
__global__ void convolve(const float* x, const float* weights, const float* biases, float* y,
                         Shape s) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= s.batch * s.out * s.out_height * s.out_width) return;
  const int n = index / (s.out * s.out_height * s.out_width);
  const int o = index / (s.out_height * s.out_width) % s.out;
  const int h = index / s.out_width % s.out_height;
  const int w = index % s.out_width;
  float sum = biases == nullptr ? 0.0f : biases[o];
  for (int c = 0; c < s.in; ++c) {
    float part = 0.0f;
    for (int i = 0; i < s.kernel_size; ++i) {
      for (int j = 0; j < s.kernel_size; ++j) {
        const int row = h * s.stride + i - s.padding;
        const int column = w * s.stride + j - s.padding;
        if (row >= 0 && row < s.height && column >= 0 && column < s.width) {
          part += x[((n * s.in + c) * s.height + row) * s.width + column] *
                  weights[((o * s.in + c) * s.kernel_size + i) * s.kernel_size + j];
        }
      }
    }
    sum += part;
  }
  y[index] = sum;
}

// A thread for each element of y.
__global__ void normalize(float* y, const float* weight, const float* bias, const float* mean,
                          const float* var, int count, int channels, int positions, float eps) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= count) return;
  const int c = index / positions % channels;
  const float scale = weight[c] / sqrtf(var[c] + eps);
  y[index] = (y[index] - mean[c]) * scale + bias[c];
}

// A thread for each element of y. NaN stays NaN.
__global__ void relu(float* y, int count) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= count) return;
  y[index] = y[index] < 0.0f ? 0.0f : y[index];
}

// A thread for each element of y.
__global__ void add(float* y, const float* identity, int count) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= count) return;
  y[index] += identity[index];
}

// As many blocks as give each of `count` elements a thread.
int blocks_for(int64_t count) {
  TORCH_CHECK(count > 0 && count <= INT32_MAX - kThreads, "a launch must be for 1 to 2^31 - ",
              kThreads, " elements, not ", count);
  return (count + kThreads - 1) / kThreads;
}

Tensor conv_norm(const Tensor& x, const Tensor& conv_weight, const OptionalTensor& conv_bias,
                 const Tensor& weight, const Tensor& bias, const Tensor& mean, const Tensor& var,
                 int64_t stride, double eps, cudaStream_t stream) {
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
  Shape shape;
  shape.batch = x.size(0);
  shape.in = x.size(1);
  shape.height = x.size(2);
  shape.width = x.size(3);
  shape.out = conv_weight.size(0);
  shape.kernel_size = conv_weight.size(2);
  shape.stride = stride;
  shape.padding = shape.kernel_size / 2;
  shape.out_height = (shape.height + stride - 1) / stride;
  shape.out_width = (shape.width + stride - 1) / stride;
  Tensor y = torch::empty({shape.batch, shape.out, shape.out_height, shape.out_width}, x.options());
  convolve<<<blocks_for(y.numel()), kThreads, 0, stream>>>(
      x.data_ptr<float>(), conv_weight.data_ptr<float>(), biases, y.data_ptr<float>(), shape);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  normalize<<<blocks_for(y.numel()), kThreads, 0, stream>>>(
      y.data_ptr<float>(), weight.data_ptr<float>(), bias.data_ptr<float>(), mean.data_ptr<float>(),
      var.data_ptr<float>(), y.numel(), shape.out, shape.out_height * shape.out_width, eps);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
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
  const c10::cuda::CUDAGuard guard(x.device());
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  Tensor between = conv_norm(x, conv1_weight, conv1_bias, bn1_weight, bn1_bias, bn1_mean, bn1_var,
                             stride, eps, stream);
  relu<<<blocks_for(between.numel()), kThreads, 0, stream>>>(between.data_ptr<float>(),
                                                             between.numel());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  Tensor y = conv_norm(between, conv2_weight, conv2_bias, bn2_weight, bn2_bias, bn2_mean, bn2_var,
                       1, eps, stream);
  Tensor identity = x;
  if (downsample_weight.has_value()) {
    TORCH_CHECK(downsample_bn_weight.has_value() && downsample_bn_bias.has_value() &&
                    downsample_bn_mean.has_value() && downsample_bn_var.has_value(),
                "downsampling needs its batch normalization");
    identity = conv_norm(x, *downsample_weight, downsample_bias, *downsample_bn_weight,
                         *downsample_bn_bias, *downsample_bn_mean, *downsample_bn_var, stride, eps,
                         stream);
  }
  TORCH_CHECK(identity.numel() == y.numel(),
              "without downsampling the block must keep the shape of x");
  add<<<blocks_for(y.numel()), kThreads, 0, stream>>>(y.data_ptr<float>(),
                                                      identity.data_ptr<float>(), y.numel());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  relu<<<blocks_for(y.numel()), kThreads, 0, stream>>>(y.data_ptr<float>(), y.numel());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "ResNet basic block");
}
