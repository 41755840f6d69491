#include "../../common/cuda/conv.cuh"

// ResNet's basic block in two convolutions on the tensor cores:
//   h = relu(norm1(conv1(x))),  y = relu(norm2(conv2(h)) + identity).
// Each batch normalization is a scale and a shift per channel (its statistics are given), so it
// folds into the weights while they are packed. Where the identity is a 1 x 1 convolution of x, it
// becomes a tenth tap of conv2. Its channels follow those of the nine taps in the same sums, with
// another input and stride. Otherwise x is added on the way out. Only h ever goes through memory.

namespace {

using kernels::Affine;
using kernels::ConvInput;
using kernels::ConvOutput;
using Optional = c10::optional<torch::Tensor>;

struct FinishBlock {
  float* out;
  const float* shift;
  const float* identity;

  __device__ void operator()(int channel, int64_t offset, float sum) const {
    sum += shift[channel];
    if (identity != nullptr) sum += __ldg(identity + offset);
    out[offset] = fmaxf(sum, 0.0f);
  }
};

const float* data(const Optional& tensor) {
  return tensor.has_value() ? (*tensor).data_ptr<float>() : nullptr;
}

ConvInput look_at(const torch::Tensor& x, const torch::Tensor& weight, int64_t stride,
                  int64_t padding) {
  CHECK_CUDA_FLOAT(x);
  CHECK_CUDA_FLOAT(weight);
  TORCH_CHECK(x.dim() == 4 && weight.dim() == 4 && x.size(1) == weight.size(1),
              "an input and its weights must agree in channels");
  return {x.data_ptr<float>(),
          static_cast<int>(x.size(1)),
          static_cast<int>(x.size(2)),
          static_cast<int>(x.size(3)),
          static_cast<int>(weight.size(2)),
          static_cast<int>(weight.size(3)),
          static_cast<int>(stride),
          static_cast<int>(padding)};
}

ConvOutput output_of(const torch::Tensor& x, const ConvInput& in, int64_t channels) {
  TORCH_CHECK(in.height + 2 * in.padding >= in.kernel_height &&
                  in.width + 2 * in.padding >= in.kernel_width,
              "a convolution's kernel is larger than its padded input");
  return {static_cast<int>(x.size(0)), static_cast<int>(channels),
          (in.height + 2 * in.padding - in.kernel_height) / in.stride + 1,
          (in.width + 2 * in.padding - in.kernel_width) / in.stride + 1};
}

Affine fold(const torch::Tensor& weight, const torch::Tensor& bias, const torch::Tensor& mean,
            const torch::Tensor& variance, double eps, const Optional& conv_bias) {
  CHECK_CUDA_FLOAT(weight);
  CHECK_CUDA_FLOAT(bias);
  CHECK_CUDA_FLOAT(mean);
  CHECK_CUDA_FLOAT(variance);
  return {weight.data_ptr<float>(),   bias.data_ptr<float>(),  mean.data_ptr<float>(),
          variance.data_ptr<float>(), static_cast<float>(eps), data(conv_bias)};
}

}  // namespace

torch::Tensor forward(torch::Tensor x, torch::Tensor conv1_weight, Optional conv1_bias,
                      torch::Tensor bn1_weight, torch::Tensor bn1_bias, torch::Tensor bn1_mean,
                      torch::Tensor bn1_var, torch::Tensor conv2_weight, Optional conv2_bias,
                      torch::Tensor bn2_weight, torch::Tensor bn2_bias, torch::Tensor bn2_mean,
                      torch::Tensor bn2_var, Optional downsample_weight, Optional downsample_bias,
                      Optional downsample_bn_weight, Optional downsample_bn_bias,
                      Optional downsample_bn_mean, Optional downsample_bn_var, int64_t stride,
                      double eps) {
  TORCH_CHECK(stride >= 1, "stride must be positive");
  const c10::cuda::CUDAGuard guard(x.device());
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  const bool downsample = downsample_weight.has_value();

  const ConvInput in1 = look_at(x, conv1_weight, stride, 1);
  const ConvOutput out1 = output_of(x, in1, conv1_weight.size(0));
  torch::Tensor h = torch::empty({out1.batch, out1.channels, out1.height, out1.width}, x.options());
  const ConvInput in2 = look_at(h, conv2_weight, 1, 1);
  const ConvOutput out2 = output_of(h, in2, conv2_weight.size(0));
  const ConvInput identity = downsample ? look_at(x, *downsample_weight, stride, 0) : ConvInput{};
  if (downsample) {
    const ConvOutput side = output_of(x, identity, (*downsample_weight).size(0));
    TORCH_CHECK(
        side.channels == out2.channels && side.height == out2.height && side.width == out2.width,
        "the downsampled input must have the shape of the block's output");
  } else {
    TORCH_CHECK(x.size(1) == out2.channels && x.size(2) == out2.height && x.size(3) == out2.width,
                "without downsample the input must have the shape of the block's output");
  }

  const int depth1 = in1.stages() * kernels::kDepth;
  const int depth2 = (in2.stages() + identity.stages()) * kernels::kDepth;
  torch::Tensor y = torch::empty({out2.batch, out2.channels, out2.height, out2.width}, x.options());
  torch::Tensor packed1 = torch::empty({out1.channels, depth1}, x.options());
  torch::Tensor packed2 = torch::empty({out2.channels, depth2}, x.options());
  torch::Tensor shift1 = torch::empty({out1.channels}, x.options());
  torch::Tensor shift2 = torch::empty({out2.channels}, x.options());

  kernels::pack(conv1_weight, fold(bn1_weight, bn1_bias, bn1_mean, bn1_var, eps, conv1_bias),
                depth1, packed1.data_ptr<float>(), shift1.data_ptr<float>(), false, stream);
  kernels::pack(conv2_weight, fold(bn2_weight, bn2_bias, bn2_mean, bn2_var, eps, conv2_bias),
                depth2, packed2.data_ptr<float>(), shift2.data_ptr<float>(), false, stream);
  if (downsample) {
    kernels::pack(*downsample_weight,
                  fold(*downsample_bn_weight, *downsample_bn_bias, *downsample_bn_mean,
                       *downsample_bn_var, eps, downsample_bias),
                  depth2, packed2.data_ptr<float>() + in2.stages() * kernels::kDepth,
                  shift2.data_ptr<float>(), true, stream);
  }
  kernels::conv(in1, ConvInput{}, out1,
                kernels::RowOperand(packed1.data_ptr<float>(), depth1, out1.channels),
                FinishBlock{h.data_ptr<float>(), shift1.data_ptr<float>(), nullptr}, stream);
  kernels::conv(in2, identity, out2,
                kernels::RowOperand(packed2.data_ptr<float>(), depth2, out2.channels),
                FinishBlock{y.data_ptr<float>(), shift2.data_ptr<float>(),
                            downsample ? nullptr : x.data_ptr<float>()},
                stream);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "ResNet basic block (two implicit matrix products, 3xTF32)");
}
