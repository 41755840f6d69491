#pragma once

#include <cstdint>

#include "check.cuh"
#include "operands.cuh"
#include "pipeline.cuh"
#include "tensor_core.cuh"

// 2D convolution of NCHW tensors as a matrix product in float32 precision on the tensor cores:
//   out(oc, pixel) = sum over taps and channels of w(oc, tap, ic) x(ic, pixel moved by tap).
// Nothing is unrolled in memory. A stage of the pipeline is 32 channels of one tap, gathered
// straight from x. A thread finds its pixel's place once per stage and then walks down the
// channels. The weights are packed to that order first, and a batch normalization folds into them
// there.
namespace kernels {

constexpr int kConvChannels = 64;  // output channels of a block

// The number of slots is the greatest that leaves room for two blocks on a multiprocessor.
template <int kPixels>
constexpr int kConvSlots = 104 * 1024 / sizeof(float) /
                           (RowTile<kConvChannels>::kSize + ColumnTile<kPixels>::kSize);

// One input and how the output's pixels look at it. Several may add up to one output.
struct ConvInput {
  const float* x = nullptr;
  int channels = 0;
  int height = 0;
  int width = 0;
  int kernel_height = 0;
  int kernel_width = 0;
  int stride = 1;
  int padding = 0;

  __host__ __device__ int stages_per_tap() const { return ceil_div(channels, kDepth); }
  __host__ __device__ int stages() const { return kernel_height * kernel_width * stages_per_tap(); }
};

struct ConvOutput {
  int batch;
  int channels;
  int height;
  int width;
  __host__ __device__ int image() const { return height * width; }
  __host__ __device__ int64_t pixels() const { return static_cast<int64_t>(batch) * image(); }
};

// Copies an input stage by stage. A stage is 32 channels of one tap for the block's kPixels pixels.
// Positions outside of the input are zero. A thread has one pixel.
template <int kPixels>
class PixelLoader {
 public:
  using Tile = ColumnTile<kPixels>;

  __device__ PixelLoader(const ConvInput& in, const ConvOutput& out, int pixel)
      : m_in(in), m_size(in.height * in.width) {
    const int n = pixel / out.image();
    const int place = pixel % out.image();
    m_y = n < out.batch ? place / out.width * in.stride - in.padding : -(1 << 30);
    m_x = place % out.width * in.stride - in.padding;
    m_image = in.x + static_cast<int64_t>(min(n, out.batch - 1)) * in.channels * m_size;
  }

  // Starts the copies of the next stage.
  __device__ void operator()(float* tile) {
    const int y = m_y + m_tap_y;
    const int x = m_x + m_tap_x;
    const bool inside = y >= 0 && y < m_in.height && x >= 0 && x < m_in.width;
    const int first = m_channel + group() * kSteps;
    const float* from =
        m_image + static_cast<int64_t>(first) * m_size + (inside ? y * m_in.width + x : 0);
    float* to = tile + group() * kSteps * Tile::kStride + threadIdx.x % kPixels;
    if (m_channel + kDepth <= m_in.channels) {
#pragma unroll
      for (int i = 0; i < kSteps; ++i) {
        copy_async<4>(to + i * Tile::kStride, from + static_cast<int64_t>(i) * m_size,
                      inside ? 4 : 0);
      }
    } else {
#pragma unroll 1
      for (int i = 0; i < kSteps; ++i) {
        const bool exists = inside && first + i < m_in.channels;
        copy_async<4>(to + i * Tile::kStride,
                      exists ? from + static_cast<int64_t>(i) * m_size : m_image, exists ? 4 : 0);
      }
    }
    advance();
  }

 private:
  static constexpr int kGroups = kBlockThreads / kPixels;  // of threads, each with its channels
  static constexpr int kSteps = kDepth / kGroups;

  static __device__ int group() {
    return threadIdx.x / kPixels;
  }

  __device__ void advance() {
    m_channel += kDepth;
    if (m_channel < m_in.channels) return;
    m_channel = 0;
    if (++m_tap_x < m_in.kernel_width) return;
    m_tap_x = 0;
    ++m_tap_y;
  }

  const ConvInput& m_in;
  const int m_size;
  const float* m_image;
  int m_y;
  int m_x;
  int m_tap_y = 0;
  int m_tap_x = 0;
  int m_channel = 0;
};

// `weights` has a row per output channel: packed taps of `first`, then of `second`. finish(channel,
// offset, sum) takes the element at `offset` of the output.
template <int kPixels, class Finish>
__global__ void __launch_bounds__(kBlockThreads, 2)
    conv_kernel(ConvInput first, ConvInput second, ConvOutput out, RowOperand weights,
                Finish finish) {
  using TileW = RowTile<kConvChannels>;
  using TileX = ColumnTile<kPixels>;
  constexpr int kSlotSize = TileW::kSize + TileX::kSize;
  constexpr int kWarpPixels = kPixels / 4;
  extern __shared__ __align__(128) float slots[];

  const int channel_tiles = ceil_div(out.channels, kConvChannels);
  const int channel = blockIdx.x % channel_tiles * kConvChannels;
  const int pixel = blockIdx.x / channel_tiles * kPixels;
  const int warp_channel = threadIdx.x / 128 * 32;
  const int warp_pixel = threadIdx.x / 32 % 4 * kWarpPixels;
  const int first_stages = first.stages();

  const RowOperand::Loader<kConvChannels> load_weights(weights, channel);
  PixelLoader<kPixels> load_first(first, out, pixel + threadIdx.x % kPixels);
  PixelLoader<kPixels> load_second(second, out, pixel + threadIdx.x % kPixels);
  WarpSums<2, kWarpPixels / 8> sums = {};
  pipeline<kConvSlots<kPixels>>(
      weights.stride / kDepth,
      [&](int slot, int i) {
        float* to = slots + slot * kSlotSize;
        load_weights(to, i * kDepth, weights.stride);
        if (i < first_stages) {
          load_first(to + TileW::kSize);
        } else {
          load_second(to + TileW::kSize);
        }
      },
      [&](int slot, int) {
        const float* from = slots + slot * kSlotSize;
        multiply_stage<TileW, TileX>(from, from + TileW::kSize, warp_channel, warp_pixel, sums);
      });

  for_each_pair<2, kWarpPixels / 8>(
      sums, channel + warp_channel, warp_pixel, [&](int c, int column, float value, float next) {
        if (c >= out.channels) return;
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          const int p = pixel + column + i;
          if (p >= out.pixels()) return;
          const int n = p / out.image();
          finish(c, (static_cast<int64_t>(n) * out.channels + c) * out.image() + p % out.image(),
                 i == 0 ? value : next);
        }
      });
}

template <int kPixels, class Finish>
void launch_conv(const ConvInput& first, const ConvInput& second, const ConvOutput& out,
                 const RowOperand& weights, const Finish& finish, cudaStream_t stream) {
  constexpr int kBytes = kConvSlots<kPixels> *
                         (RowTile<kConvChannels>::kSize + ColumnTile<kPixels>::kSize) *
                         sizeof(float);
  const auto kernel = conv_kernel<kPixels, Finish>;
  C10_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  const int64_t blocks =
      ceil_div<int64_t>(out.pixels(), kPixels) * ceil_div(out.channels, kConvChannels);
  kernel<<<blocks, kBlockThreads, kBytes, stream>>>(first, second, out, weights, finish);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

// Adds up to two convolutions. Small outputs get small blocks, so that all multiprocessors work.
template <class Finish>
void conv(const ConvInput& first, const ConvInput& second, const ConvOutput& out,
          const RowOperand& weights, const Finish& finish, cudaStream_t stream) {
  TORCH_CHECK(out.pixels() + 128 < INT32_MAX, "more output pixels than fit an int: ", out.pixels());
  if (out.pixels() == 0 || out.channels == 0) return;
  const int64_t blocks =
      ceil_div<int64_t>(out.pixels(), 128) * ceil_div(out.channels, kConvChannels);
  if (blocks < 2 * at::cuda::getCurrentDeviceProperties()->multiProcessorCount) {
    launch_conv<64>(first, second, out, weights, finish, stream);
  } else {
    launch_conv<128>(first, second, out, weights, finish, stream);
  }
}

// y = scale x + shift per channel; null pointers stand for 1 and 0.
struct Affine {
  const float* weight = nullptr;  // of a batch normalization, as are the next three
  const float* bias = nullptr;
  const float* mean = nullptr;
  const float* variance = nullptr;
  float epsilon = 0.0f;
  const float* conv_bias = nullptr;  // what the convolution adds before it

  __device__ float scale(int channel) const {
    return weight == nullptr ? 1.0f : weight[channel] / sqrtf(variance[channel] + epsilon);
  }
  __device__ float shift(int channel) const {
    const float from = conv_bias == nullptr ? 0.0f : conv_bias[channel];
    if (weight == nullptr) return from;
    return bias[channel] + (from - mean[channel]) * scale(channel);
  }
};

// Packs weights of (out, in, tap) to rows of (tap, in rounded up to 32) and multiplies them by the
// scale. The rows go to `packed`, `depth` floats apart. The last block column adds the shift.
__global__ void pack_kernel(const float* weights, Affine affine, int channels, int in, int taps,
                            int depth, float* packed, float* shift, bool add_shift) {
  const int channel = blockIdx.y;
  const int padded = ceil_div(in, kDepth) * kDepth;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) shift[channel] = affine.shift(channel) + (add_shift ? shift[channel] : 0.0f);
  if (i >= taps * padded) return;
  const int tap = i / padded;
  const int c = i % padded;
  packed[static_cast<int64_t>(channel) * depth + i] =
      c < in
          ? weights[(static_cast<int64_t>(channel) * in + c) * taps + tap] * affine.scale(channel)
          : 0.0f;
}

inline void pack(const torch::Tensor& weights, const Affine& affine, int depth, float* packed,
                 float* shift, bool add_shift, cudaStream_t stream) {
  const int channels = weights.size(0);
  const int in = weights.size(1);
  const int taps = weights.size(2) * weights.size(3);
  const dim3 grid(ceil_div(taps * ceil_div(in, kDepth) * kDepth, 256), channels);
  pack_kernel<<<grid, 256, 0, stream>>>(weights.data_ptr<float>(), affine, channels, in, taps,
                                        depth, packed, shift, add_shift);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace kernels
