#include <vector>

#include "../../common/cuda/linear.cuh"
#include "../../common/cuda/reduce.cuh"

// Gradients of y = relu(x w^T + b). Neither y nor its sign was saved. With s = x w^T + b:
//   g = (s > 0) ? grad_output : 0,  dx = g w,  dw = g^T x,  db = column sums of g.
// With a classifier's few outputs, s is cheaper to make again than to hand over. So one grid does
// it all, and each block makes the part of g that it needs. For dx a warp has a row of g in shared
// memory. For dw a warp has its samples' g in a register. Wide layers make g and use the tensor
// cores.

namespace {

constexpr int kWarps = 8;
constexpr int kMaxOut = 64;

struct Layer {
  const float* grad;
  const float* x;
  const float* w;
  const float* b;
  float* dx;
  float* dw;
  float* db;
  int batch;
  int in;
  int out;

  // g at (row, o), the same on every lane of the warp.
  template <int kWidth>
  __device__ float masked(int row, int o) const {
    const float upstream = grad[static_cast<int64_t>(row) * out + o];
    const float bias = b[o];
    float sum = 0.0f;
#pragma unroll 2
    for (int i = threadIdx.x % 32 * kWidth; i < in; i += 32 * kWidth) {
      const auto left = kernels::load<kWidth>(x + static_cast<int64_t>(row) * in + i);
      const auto right = kernels::load<kWidth>(w + static_cast<int64_t>(o) * in + i);
#pragma unroll
      for (int e = 0; e < kWidth; ++e) sum += left.at[e] * right.at[e];
    }
    return kernels::warp_sum(sum) + bias > 0.0f ? upstream : 0.0f;
  }
};

template <int kWidth>
__device__ void input_gradient(const Layer& layer, int row, int column) {
  __shared__ float masked[kWarps][kMaxOut];
  if (row >= layer.batch) return;
  float* g = masked[threadIdx.x / 32];
#pragma unroll 5
  for (int o = 0; o < layer.out; ++o) {
    const float value = layer.template masked<kWidth>(row, o);
    if (threadIdx.x % 32 == 0) g[o] = value;
  }
  __syncwarp();
  if (column >= layer.in) return;
  kernels::Pack<kWidth> sum = {};
#pragma unroll 10
  for (int o = 0; o < layer.out; ++o) {
    const auto w = kernels::load<kWidth>(layer.w + static_cast<int64_t>(o) * layer.in + column);
#pragma unroll
    for (int e = 0; e < kWidth; ++e) sum.at[e] += g[o] * w.at[e];
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
#pragma unroll 4
  for (int row = warp; row < layer.batch; row += kWarps) {
    const float g = layer.template masked<kWidth>(row, o);
    bias_sum += g;
    if (column < layer.in) {
      const auto x = kernels::load<kWidth>(layer.x + static_cast<int64_t>(row) * layer.in + column);
#pragma unroll
      for (int e = 0; e < kWidth; ++e) sum.at[e] += g * x.at[e];
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

// Turns the sums x w^T into g.
struct StoreMasked {
  const float* grad;
  const float* biases;
  float* g;
  int rows;
  int columns;

  __device__ void operator()(kernels::WarpSums<2, 4>& sums, int row, int column, int) const {
    kernels::for_each_pair<2, 4>(sums, row, column, [&](int m, int n, float first, float second) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        if (m >= rows || n + i >= columns) return;
        const int64_t at = static_cast<int64_t>(m) * columns + n + i;
        g[at] = (i == 0 ? first : second) + biases[n + i] > 0.0f ? grad[at] : 0.0f;
      }
    });
  }
};

}  // namespace

std::vector<torch::Tensor> backward(torch::Tensor grad_output, torch::Tensor x,
                                    torch::Tensor weights, torch::Tensor biases) {
  CHECK_CUDA_FLOAT(grad_output);
  CHECK_CUDA_FLOAT(x);
  CHECK_CUDA_FLOAT(weights);
  CHECK_CUDA_FLOAT(biases);
  TORCH_CHECK(x.dim() == 2 && weights.dim() == 2 && x.size(1) == weights.size(1),
              "x (batch, in) and weights (out, in) must agree in `in`");
  const int batch = x.size(0);
  const int in = x.size(1);
  const int out = weights.size(0);
  TORCH_CHECK(biases.dim() == 1 && biases.size(0) == out,
              "biases must have one element per row of weights");
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
                    biases.data_ptr<float>(),
                    dx.data_ptr<float>(),
                    dw.data_ptr<float>(),
                    db.data_ptr<float>(),
                    batch,
                    in,
                    out};
  if (out > kMaxOut || out == 0 || in == 0) {
    torch::Tensor g = torch::empty({batch, out}, x.options());
    kernels::gemm(kernels::RowOperand(layer.x, in, batch), kernels::RowOperand(layer.w, in, out),
                  StoreMasked{layer.grad, layer.b, g.data_ptr<float>(), batch, out}, batch, out, in,
                  1, stream);
    kernels::LinearGradients{
        g.data_ptr<float>(), layer.x, layer.w, layer.dx, layer.dw, layer.db, batch, in, out}
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
  m.def("backward", &backward, "Gradients of a linear layer with ReLU (one launch)");
}
