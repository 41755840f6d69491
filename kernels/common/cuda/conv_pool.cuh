#pragma once

#include <cstdint>
#include <type_traits>

#include "check.cuh"

// A small convolution (stride 1, no padding) under 2 x 2 max pooling. It serves kernels that need
// its values and kernels that need only which of them win. A thread makes the four values of one
// pooling window in kChannels output channels, and so reads its patch of x once.
namespace kernels {

constexpr int kPoolChannels = 8;   // output channels of a thread
constexpr int kPoolThreads = 128;  // windows of a block
constexpr int kPoolStage = 16;     // input channels whose weights are in shared memory at a time
constexpr int kMaxPoolKernel = 7;  // side of a filter

struct ConvPool {
  const float* x;
  const float* weights;
  const float* biases;
  int batch;
  int in;
  int height;
  int width;
  int out;
  int kernel;

  __host__ __device__ int rows() const { return (height - kernel + 1) / 2; }
  __host__ __device__ int columns() const { return (width - kernel + 1) / 2; }
  __host__ __device__ int windows() const { return rows() * columns(); }
};

inline ConvPool describe_conv_pool(const torch::Tensor& x, const torch::Tensor& weights,
                                   const torch::Tensor& biases) {
  CHECK_CUDA_FLOAT(x);
  CHECK_CUDA_FLOAT(weights);
  CHECK_CUDA_FLOAT(biases);
  TORCH_CHECK(
      x.dim() == 4 && weights.dim() == 4 && x.size(1) == weights.size(1),
      "x (batch, in, height, width) and weights (out, in, kernel, kernel) must agree in `in`");
  TORCH_CHECK(biases.dim() == 1 && biases.size(0) == weights.size(0),
              "biases must have one element per output channel");
  const int kernel = weights.size(2);
  TORCH_CHECK(weights.size(3) == kernel && kernel >= 1 && kernel <= kMaxPoolKernel,
              "kernels of 1 x 1 to 7 x 7 are supported, not ", weights.size(2), " x ",
              weights.size(3));
  TORCH_CHECK(x.size(2) > kernel && x.size(3) > kernel, "x must hold at least one pooling window");
  return {
      x.data_ptr<float>(),         weights.data_ptr<float>(),         biases.data_ptr<float>(),
      static_cast<int>(x.size(0)), static_cast<int>(x.size(1)),       static_cast<int>(x.size(2)),
      static_cast<int>(x.size(3)), static_cast<int>(weights.size(0)), kernel};
}

// Calls `run` with std::integral_constant of the filter's side.
template <int kKernel = 1, class Run>
void for_kernel_size(int kernel, const Run& run) {
  if (kernel == kKernel) return run(std::integral_constant<int, kKernel>());
  if constexpr (kKernel < kMaxPoolKernel) for_kernel_size<kKernel + 1>(kernel, run);
}

// Adds up window `window` of sample `n` in channels channel .. channel + 7, without the bias:
// values[c][2 * dy + dx]. All threads of the block must call it.
template <int kKernel>
__device__ void window_values(const ConvPool& layer, int n, int window, int channel,
                              float (&values)[kPoolChannels][4]) {
  constexpr int kTaps = kKernel * kKernel;
  constexpr int kPatch = kKernel + 1;
  __shared__ float4 weights[kPoolStage][kTaps][kPoolChannels / 4];
  const int row = window / layer.columns() * 2;
  const int column = window % layer.columns() * 2;
  const float* from =
      layer.x + (static_cast<int64_t>(n) * layer.in * layer.height + row) * layer.width + column;
  for (int first = 0; first < layer.in; first += kPoolStage) {
    const int stage = min(kPoolStage, layer.in - first);
    __syncthreads();
    for (int i = threadIdx.x; i < stage * kTaps * kPoolChannels; i += kPoolThreads) {
      const int c = i / (stage * kTaps);
      const int at = i % (stage * kTaps);
      reinterpret_cast<float*>(weights)[at * kPoolChannels + c] =
          channel + c < layer.out
              ? layer.weights[(static_cast<int64_t>(channel + c) * layer.in + first) * kTaps + at]
              : 0.0f;
    }
    __syncthreads();
    for (int ic = 0; ic < stage; ++ic) {
      float patch[kPatch][kPatch];
#pragma unroll
      for (int y = 0; y < kPatch; ++y) {
#pragma unroll
        for (int x = 0; x < kPatch; ++x) patch[y][x] = from[y * layer.width + x];
      }
      from += layer.height * layer.width;
#pragma unroll
      for (int tap = 0; tap < kTaps; ++tap) {
#pragma unroll
        for (int four = 0; four < kPoolChannels / 4; ++four) {
          const float4 w = weights[ic][tap][four];
          const float of[4] = {w.x, w.y, w.z, w.w};
#pragma unroll
          for (int c = 0; c < 4; ++c) {
#pragma unroll
            for (int place = 0; place < 4; ++place) {
              values[4 * four + c][place] +=
                  of[c] * patch[tap / kKernel + place / 2][tap % kKernel + place % 2];
            }
          }
        }
      }
    }
  }
}

}  // namespace kernels
