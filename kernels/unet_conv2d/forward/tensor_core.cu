#include "../../common/cuda/conv.cuh"

// y = conv2d(x, w) + b as an implicit matrix product on the tensor cores. Each product of floats is
// made of three TF32 parts. A first, small kernel packs the weights. The bias is added on the way
// out.

namespace {

struct StoreWithBias {
  float* out;
  const float* bias;

  __device__ void operator()(int channel, int64_t offset, float sum) const {
    out[offset] = sum + bias[channel];
  }
};

}  // namespace

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases, int64_t stride,
                      int64_t padding) {
  CHECK_CUDA_FLOAT(x);
  CHECK_CUDA_FLOAT(weights);
  CHECK_CUDA_FLOAT(biases);
  TORCH_CHECK(
      x.dim() == 4 && weights.dim() == 4 && x.size(1) == weights.size(1),
      "x (batch, in, height, width) and weights (out, in, height, width) must agree in `in`");
  TORCH_CHECK(biases.dim() == 1 && biases.size(0) == weights.size(0),
              "biases must have one element per output channel");
  TORCH_CHECK(stride >= 1 && padding >= 0, "stride must be positive and padding not negative");
  const kernels::ConvInput in{x.data_ptr<float>(),
                              static_cast<int>(x.size(1)),
                              static_cast<int>(x.size(2)),
                              static_cast<int>(x.size(3)),
                              static_cast<int>(weights.size(2)),
                              static_cast<int>(weights.size(3)),
                              static_cast<int>(stride),
                              static_cast<int>(padding)};
  const kernels::ConvOutput out{
      static_cast<int>(x.size(0)), static_cast<int>(weights.size(0)),
      static_cast<int>((in.height + 2 * padding - in.kernel_height) / stride + 1),
      static_cast<int>((in.width + 2 * padding - in.kernel_width) / stride + 1)};
  TORCH_CHECK(
      in.height + 2 * padding >= in.kernel_height && in.width + 2 * padding >= in.kernel_width,
      "the kernel is larger than the padded input");

  const c10::cuda::CUDAGuard guard(x.device());
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  const int depth = in.stages() * kernels::kDepth;
  torch::Tensor y = torch::empty({out.batch, out.channels, out.height, out.width}, x.options());
  torch::Tensor packed = torch::empty({out.channels, depth}, x.options());
  torch::Tensor shift = torch::empty({out.channels}, x.options());
  kernels::Affine affine;
  affine.conv_bias = biases.data_ptr<float>();
  kernels::pack(weights, affine, depth, packed.data_ptr<float>(), shift.data_ptr<float>(), false,
                stream);
  kernels::conv(in, kernels::ConvInput{}, out,
                kernels::RowOperand(packed.data_ptr<float>(), depth, out.channels),
                StoreWithBias{y.data_ptr<float>(), shift.data_ptr<float>()}, stream);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "2D convolution (implicit matrix product, 3xTF32)");
}
