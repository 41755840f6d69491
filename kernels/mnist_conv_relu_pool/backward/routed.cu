#include <vector>

#include "../../common/cuda/conv_pool.cuh"
#include "../../common/cuda/reduce.cuh"

// Gradients of y = max_pool(relu(conv(x, w) + b)), 2 x 2 windows. At most one convolution value of
// a window gets a gradient: the greatest, if it is positive. The first kernel makes the values
// again and keeps per window only that gradient and the winner's place. With it a window costs one
// product per tap and not four. The second kernel gathers dx, each element from the few windows
// that see it. It also sums dw and db, with a block per pair of channels. There are two launches,
// no atomics, and nothing to clear.

namespace {

constexpr int kThreads = 512;

struct Routed {
  float* gradient;
  uint8_t* place;  // 2 * dy + dx of the winner in its window
};

template <int kKernel>
__global__ void __launch_bounds__(kernels::kPoolThreads)
    route_kernel(kernels::ConvPool layer, const float* __restrict__ grad_output, Routed to) {
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
    int winner = 0;
    float greatest = values[c][0];
#pragma unroll
    for (int place = 1; place < 4; ++place) {
      if (values[c][place] > greatest) greatest = values[c][place], winner = place;
    }
    const int64_t at = (static_cast<int64_t>(n) * layer.out + channel + c) * window_count + window;
    to.gradient[at] = greatest + layer.biases[channel + c] > 0.0f ? grad_output[at] : 0.0f;
    to.place[at] = winner;
  }
}

// Makes dx of one input channel. A thread makes a patch of 2 x 2 elements, which only kReach x
// kReach windows see. The channel's weights are in shared memory with a border of zeros. A winner's
// place just shifts where a window's weights begin, and taps that do not exist need no test.
template <int kKernel>
struct InputGradient {
  static constexpr int kReach = kKernel / 2 + 1;
  static constexpr int kSide = 2 * kReach + 1;  // with the border
  static constexpr int kStage = 32;  // output channels whose weights are in shared memory at a time

  // All threads of the block must call it; patch `i` of those of channel `ic`.
  static __device__ void run(const kernels::ConvPool& layer, const Routed& from, int ic, int i,
                             float* dx) {
    __shared__ float weights[kStage][kSide * kSide];
    const int patch_columns = kernels::ceil_div(layer.width, 2);
    const int patch_rows = kernels::ceil_div(layer.height, 2);
    const int n = i / patch_columns / patch_rows;
    const int row = i / patch_columns % patch_rows;
    const int column = i % patch_columns;
    const int window_count = layer.windows();
    int at[kReach][kReach];
    bool exists[kReach][kReach];
#pragma unroll
    for (int dy = 0; dy < kReach; ++dy) {
#pragma unroll
      for (int dx = 0; dx < kReach; ++dx) {
        const int y = row - dy;
        const int x = column - dx;
        exists[dy][dx] =
            n < layer.batch && y >= 0 && y < layer.rows() && x >= 0 && x < layer.columns();
        at[dy][dx] = exists[dy][dx] ? n * layer.out * window_count + y * layer.columns() + x : 0;
      }
    }

    float sums[2][2] = {};
    for (int first = 0; first < layer.out; first += kStage) {
      const int stage = min(kStage, layer.out - first);
      __syncthreads();
      for (int j = threadIdx.x; j < stage * kSide * kSide; j += kThreads) {
        const int tap_y = j % (kSide * kSide) / kSide - 1;
        const int tap_x = j % kSide - 1;
        const bool tap = tap_y >= 0 && tap_y < kKernel && tap_x >= 0 && tap_x < kKernel;
        weights[0][j] =
            tap ? layer
                      .weights[(((first + j / (kSide * kSide)) * layer.in + ic) * kKernel + tap_y) *
                                   kKernel +
                               tap_x]
                : 0.0f;
      }
      __syncthreads();
#pragma unroll 4
      for (int c = 0; c < stage; ++c) {
        const int plane = (first + c) * window_count;
#pragma unroll
        for (int dy = 0; dy < kReach; ++dy) {
#pragma unroll
          for (int dx = 0; dx < kReach; ++dx) {
            const int window = at[dy][dx] + (exists[dy][dx] ? plane : 0);
            const float value = from.gradient[window];
            const float gradient = exists[dy][dx] ? value : 0.0f;
            const int place = from.place[window];
            const float* w = weights[c] + kSide + 1 - place / 2 * kSide - place % 2;
#pragma unroll
            for (int y = 0; y < 2; ++y) {
#pragma unroll
              for (int x = 0; x < 2; ++x) {
                sums[y][x] += gradient * w[(y + 2 * dy) * kSide + x + 2 * dx];
              }
            }
          }
        }
      }
    }
    if (n >= layer.batch) return;
#pragma unroll
    for (int y = 0; y < 2; ++y) {
#pragma unroll
      for (int x = 0; x < 2; ++x) {
        const int to_y = 2 * row + y;
        const int to_x = 2 * column + x;
        if (to_y >= layer.height || to_x >= layer.width) continue;
        dx[((n * layer.in + ic) * layer.height + to_y) * layer.width + to_x] = sums[y][x];
      }
    }
  }
};

// The block's sums over all windows of (oc, ic): per tap, and last of the gradient itself.
template <int kKernel>
__device__ void weight_gradient(const kernels::ConvPool& layer, const Routed& from, int oc, int ic,
                                float (&sums)[kKernel * kKernel + 1]) {
  const int columns = layer.columns();
  const int window_count = layer.windows();
#pragma unroll 4
  for (int i = threadIdx.x; i < layer.batch * window_count; i += kThreads) {
    const int n = i / window_count;
    const int window = i % window_count;
    const int at = (n * layer.out + oc) * window_count + window;
    const float gradient = from.gradient[at];
    const int place = from.place[at];
    const int y = window / columns * 2 + place / 2;
    const int x = window % columns * 2 + place % 2;
    const float* patch =
        layer.x + ((static_cast<int64_t>(n) * layer.in + ic) * layer.height + y) * layer.width + x;
#pragma unroll
    for (int tap = 0; tap < kKernel * kKernel; ++tap) {
      sums[tap] += gradient * patch[tap / kKernel * layer.width + tap % kKernel];
    }
    sums[kKernel * kKernel] += gradient;
  }
  kernels::block_sum<kThreads / 32>(sums);
}

template <int kKernel>
__global__ void __launch_bounds__(kThreads)
    gradients_kernel(kernels::ConvPool layer, Routed from, int weight_blocks,
                     float* __restrict__ dx, float* __restrict__ dw, float* __restrict__ db) {
  constexpr int kTaps = kKernel * kKernel;
  const int block = blockIdx.x;
  if (block >= weight_blocks) {
    const int patch_block = (block - weight_blocks) / layer.in;
    InputGradient<kKernel>::run(layer, from, (block - weight_blocks) % layer.in,
                                patch_block * kThreads + threadIdx.x, dx);
    return;
  }
  float sums[kTaps + 1] = {};
  weight_gradient<kKernel>(layer, from, block / layer.in, block % layer.in, sums);
#pragma unroll
  for (int tap = 0; tap < kTaps; ++tap) {
    if (threadIdx.x == tap) dw[static_cast<int64_t>(block) * kTaps + tap] = sums[tap];
  }
  if (threadIdx.x == 0 && block % layer.in == 0) db[block / layer.in] = sums[kTaps];
}

template <int kKernel>
void run(const kernels::ConvPool& layer, const float* grad_output, const Routed& routed, float* dx,
         float* dw, float* db, cudaStream_t stream) {
  const dim3 grid(kernels::ceil_div(layer.batch * layer.windows(), kernels::kPoolThreads),
                  kernels::ceil_div(layer.out, kernels::kPoolChannels));
  route_kernel<kKernel><<<grid, kernels::kPoolThreads, 0, stream>>>(layer, grad_output, routed);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  const int weight_blocks = layer.out * layer.in;
  const int patches =
      layer.batch * kernels::ceil_div(layer.height, 2) * kernels::ceil_div(layer.width, 2);
  const int patch_blocks = kernels::ceil_div(patches, kThreads) * layer.in;
  gradients_kernel<kKernel><<<weight_blocks + patch_blocks, kThreads, 0, stream>>>(
      layer, routed, weight_blocks, dx, dw, db);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace

std::vector<torch::Tensor> backward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases,
                                    torch::Tensor grad_output) {
  const kernels::ConvPool layer = kernels::describe_conv_pool(x, weights, biases);
  CHECK_CUDA_FLOAT(grad_output);
  TORCH_CHECK(grad_output.dim() == 4 && grad_output.size(0) == layer.batch &&
                  grad_output.size(1) == layer.out && grad_output.size(2) == layer.rows() &&
                  grad_output.size(3) == layer.columns(),
              "grad_output must have the shape of the pooled output");
  TORCH_CHECK(x.numel() < INT32_MAX && grad_output.numel() < INT32_MAX,
              "x and grad_output must have fewer than 2^31 elements");
  TORCH_CHECK(layer.batch > 0 && layer.in > 0 && layer.out > 0, "no dimension may be empty");

  const c10::cuda::CUDAGuard guard(x.device());
  torch::Tensor dx = torch::empty_like(x);
  torch::Tensor dw = torch::empty_like(weights);
  torch::Tensor db = torch::empty_like(biases);
  torch::Tensor gradient = torch::empty_like(grad_output);
  torch::Tensor place = torch::empty(grad_output.sizes(), x.options().dtype(torch::kUInt8));
  const Routed routed{gradient.data_ptr<float>(), place.data_ptr<uint8_t>()};
  kernels::for_kernel_size(layer.kernel, [&](auto size) {
    run<size>(layer, grad_output.data_ptr<float>(), routed, dx.data_ptr<float>(),
              dw.data_ptr<float>(), db.data_ptr<float>(), at::cuda::getCurrentCUDAStream());
  });
  return {dx, dw, db};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward, "Gradients of convolution, ReLU and max pooling (routed)");
}
