#include "../../common/cuda/conv_pool.cuh"

// y = max_pool(relu(conv(x, w) + b)), 2 x 2 windows, in one kernel. A thread makes the four values
// of a pooling window in registers, and only their maximum leaves the chip. Bias and ReLU follow
// the maximum, which commutes with both.

namespace {

template <int kKernel>
__global__ void __launch_bounds__(kernels::kPoolThreads)
    forward_kernel(kernels::ConvPool layer, float* __restrict__ y) {
  const int window_count = layer.windows();
  const int i = blockIdx.x * kernels::kPoolThreads + threadIdx.x;
  const bool valid = i < layer.batch * window_count;
  const int n = valid ? i / window_count : 0;
  const int window = valid ? i % window_count : 0;
  const int channel = blockIdx.y * kernels::kPoolChannels;
  float values[kernels::kPoolChannels][4] = {};
  kernels::window_values<kKernel>(layer, n, window, channel, values);
  if (!valid) return;
#pragma unroll
  for (int c = 0; c < kernels::kPoolChannels; ++c) {
    if (channel + c >= layer.out) return;
    const float greatest =
        fmaxf(fmaxf(values[c][0], values[c][1]), fmaxf(values[c][2], values[c][3]));
    y[(static_cast<int64_t>(n) * layer.out + channel + c) * window_count + window] =
        fmaxf(greatest + layer.biases[channel + c], 0.0f);
  }
}

}  // namespace

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  const kernels::ConvPool layer = kernels::describe_conv_pool(x, weights, biases);
  const c10::cuda::CUDAGuard guard(x.device());
  torch::Tensor y =
      torch::empty({layer.batch, layer.out, layer.rows(), layer.columns()}, x.options());
  if (y.numel() == 0) return y;
  const dim3 grid(kernels::ceil_div(layer.batch * layer.windows(), kernels::kPoolThreads),
                  kernels::ceil_div(layer.out, kernels::kPoolChannels));
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  kernels::for_kernel_size(layer.kernel, [&](auto size) {
    forward_kernel<size><<<grid, kernels::kPoolThreads, 0, stream>>>(layer, y.data_ptr<float>());
  });
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "Convolution, ReLU and max pooling (a window per thread)");
}
