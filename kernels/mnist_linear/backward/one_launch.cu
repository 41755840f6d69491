#include <vector>

#include "../../common/cuda/linear.cuh"
#include "../../common/cuda/reduce.cuh"

// Gradients of y = x w^T + b: dx = g w, dw = g^T x, db = column sums of g. With a classifier's few
// outputs each of the three is smaller than a launch, so one grid does them all. Its first blocks
// make dx, with a warp per row. The others make dw, with a block per output, whose warps share the
// batch. These blocks make db as well, since they read all of g anyway. Wide layers go to the
// tensor cores.

namespace {

constexpr int kWarps = 8;
constexpr int kMaxOut = 64;

struct Layer {
  const float* g;
  const float* x;
  const float* w;
  float* dx;
  float* dw;
  float* db;
  int batch;
  int in;
  int out;
};

template <int kWidth>
__device__ void input_gradient(const Layer& layer, int row, int column) {
  if (row >= layer.batch || column >= layer.in) return;
  const float* g = layer.g + static_cast<int64_t>(row) * layer.out;
  kernels::Pack<kWidth> sum = {};
#pragma unroll 10
  for (int o = 0; o < layer.out; ++o) {
    const auto w = kernels::load<kWidth>(layer.w + static_cast<int64_t>(o) * layer.in + column);
    const float scale = g[o];
#pragma unroll
    for (int e = 0; e < kWidth; ++e) sum.at[e] += scale * w.at[e];
  }
  kernels::store<kWidth>(layer.dx + static_cast<int64_t>(row) * layer.in + column, sum);
}

template <int kWidth>
__device__ void weight_gradient(const Layer& layer, int o, int column) {
  __shared__ kernels::Pack<kWidth> sums[kWarps][32];
  __shared__ float bias_sums[kWarps];
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  kernels::Pack<kWidth> sum = {};
  float bias_sum = 0.0f;
#pragma unroll 8
  for (int row = warp; row < layer.batch; row += kWarps) {
    const float scale = layer.g[static_cast<int64_t>(row) * layer.out + o];
    bias_sum += scale;
    if (column < layer.in) {
      const auto x = kernels::load<kWidth>(layer.x + static_cast<int64_t>(row) * layer.in + column);
#pragma unroll
      for (int e = 0; e < kWidth; ++e) sum.at[e] += scale * x.at[e];
    }
  }
  sums[warp][lane] = sum;
  if (lane == 0) bias_sums[warp] = bias_sum;
  __syncthreads();
  if (warp != 0) return;
#pragma unroll
  for (int i = 1; i < kWarps; ++i) {
#pragma unroll
    for (int e = 0; e < kWidth; ++e) sum.at[e] += sums[i][lane].at[e];
    bias_sum += bias_sums[i];
  }
  if (column < layer.in) {
    kernels::store<kWidth>(layer.dw + static_cast<int64_t>(o) * layer.in + column, sum);
  }
  if (column == 0) layer.db[o] = bias_sum;
}

template <int kWidth>
__global__ void __launch_bounds__(32 * kWarps) backward_kernel(Layer layer, int dx_blocks) {
  const int column = (blockIdx.y * 32 + threadIdx.x % 32) * kWidth;
  const int block = blockIdx.x;
  if (block < dx_blocks) {
    input_gradient<kWidth>(layer, block * kWarps + threadIdx.x / 32, column);
  } else {
    weight_gradient<kWidth>(layer, block - dx_blocks, column);
  }
}

}  // namespace

std::vector<torch::Tensor> backward(torch::Tensor grad_output, torch::Tensor x,
                                    torch::Tensor weights) {
  CHECK_CUDA_FLOAT(grad_output);
  CHECK_CUDA_FLOAT(x);
  CHECK_CUDA_FLOAT(weights);
  TORCH_CHECK(x.dim() == 2 && weights.dim() == 2 && x.size(1) == weights.size(1),
              "x (batch, in) and weights (out, in) must agree in `in`");
  const int batch = x.size(0);
  const int in = x.size(1);
  const int out = weights.size(0);
  TORCH_CHECK(grad_output.dim() == 2 && grad_output.size(0) == batch && grad_output.size(1) == out,
              "grad_output must be (batch, out)");

  const c10::cuda::CUDAGuard guard(x.device());
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  torch::Tensor dx = torch::empty({batch, in}, x.options());
  torch::Tensor dw = torch::empty({out, in}, x.options());
  torch::Tensor db = torch::empty({out}, x.options());
  const Layer layer{grad_output.data_ptr<float>(),
                    x.data_ptr<float>(),
                    weights.data_ptr<float>(),
                    dx.data_ptr<float>(),
                    dw.data_ptr<float>(),
                    db.data_ptr<float>(),
                    batch,
                    in,
                    out};
  if (out > kMaxOut || out == 0 || in == 0) {
    kernels::LinearGradients{layer.g,  layer.x, layer.w, layer.dx, layer.dw,
                             layer.db, batch,   in,      out}
        .run(x.options(), stream);
    return {dx, dw, db};
  }
  const int dx_blocks = kernels::ceil_div(batch, kWarps);
  const bool aligned = kernels::allows_float4(layer.x, in) && kernels::allows_float4(layer.w, in);
  const dim3 grid(dx_blocks + out, kernels::ceil_div(in, aligned ? 128 : 32));
  const auto kernel = aligned ? backward_kernel<4> : backward_kernel<1>;
  kernel<<<grid, 32 * kWarps, 0, stream>>>(layer, dx_blocks);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return {dx, dw, db};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward, "Gradients of a linear layer (one launch)");
}
