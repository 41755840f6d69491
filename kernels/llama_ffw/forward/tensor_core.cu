#include "../../common/cuda/gemm.cuh"

// y = (silu(x gate^T) * (x up^T)) down^T as two products on the tensor cores. Each product of
// floats is made of three TF32 parts. The first matrix product takes rows of gate and of up in
// turns of 16. So a thread's sums hold both projections of one feature, and only their product is
// written.

namespace {

// Each result is a product of three products, whose errors add.
constexpr int kTerms = 16;

// 64 rows of a tile are 32 features: per warp (32 rows) 16 of gate, then the same 16 of up.
struct GateAndUp {
  template <int kRows>
  using Loader = kernels::RowLoader<GateAndUp, kRows>;

  const float* gate;
  const float* up;
  int features;
  int depth;
  bool aligned;

  __device__ const float* matrix(int row) const { return row % 32 < 16 ? gate : up; }
  __device__ uint32_t offset(int first, int row) const {
    const int feature = first / 2 + row / 32 * 16 + row % 16;
    return static_cast<uint32_t>(min(feature, features - 1)) * depth;
  }
};

struct StoreGated {
  float* out;
  int rows;
  int features;

  static __device__ float gated(float gate, float up) { return gate / (1.0f + __expf(-gate)) * up; }

  __device__ void operator()(kernels::WarpSums<2, 4>& sums, int row, int column, int) const {
    kernels::WarpSums<2, 2> values;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
#pragma unroll
      for (int j = 0; j < 2; ++j) {
#pragma unroll
        for (int e = 0; e < 4; ++e) values[i][j][e] = gated(sums[i][j][e], sums[i][j + 2][e]);
      }
    }
    kernels::for_each_pair<2, 2>(values, row, column / 2,
                                 [&](int m, int feature, float first, float second) {
                                   if (m >= rows || feature >= features) return;
                                   float* to = out + static_cast<int64_t>(m) * features + feature;
                                   to[0] = first;
                                   if (feature + 1 < features) to[1] = second;
                                 });
  }
};

}  // namespace

torch::Tensor forward(torch::Tensor x, torch::Tensor gate_proj, torch::Tensor up_proj,
                      torch::Tensor down_proj) {
  CHECK_CUDA_FLOAT(x);
  CHECK_CUDA_FLOAT(gate_proj);
  CHECK_CUDA_FLOAT(up_proj);
  CHECK_CUDA_FLOAT(down_proj);
  TORCH_CHECK(x.dim() == 3 && gate_proj.dim() == 2 && x.size(2) == gate_proj.size(1),
              "x (batch, tokens, in) and gate_proj (up, in) must agree in `in`");
  TORCH_CHECK(up_proj.dim() == 2 && up_proj.size(0) == gate_proj.size(0) &&
                  up_proj.size(1) == gate_proj.size(1),
              "up_proj must have the shape of gate_proj");
  TORCH_CHECK(down_proj.dim() == 2 && down_proj.size(1) == gate_proj.size(0),
              "down_proj (out, up) and gate_proj (up, in) must agree in `up`");
  const int rows = x.size(0) * x.size(1);
  const int in = gate_proj.size(1);
  const int up = gate_proj.size(0);
  const int out = down_proj.size(0);

  const c10::cuda::CUDAGuard guard(x.device());
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  torch::Tensor y = torch::empty({x.size(0), x.size(1), out}, x.options());
  torch::Tensor hidden = torch::empty({rows, up}, x.options());
  const GateAndUp both{gate_proj.data_ptr<float>(), up_proj.data_ptr<float>(), up, in,
                       kernels::allows_float4(gate_proj.data_ptr<float>(), in) &&
                           kernels::allows_float4(up_proj.data_ptr<float>(), in)};
  kernels::gemm<kTerms>(kernels::RowOperand(x.data_ptr<float>(), in, rows), both,
                        StoreGated{hidden.data_ptr<float>(), rows, up}, rows,
                        kernels::ceil_div(up, 32) * 64, in, 1, stream);

  const kernels::RowOperand a(hidden.data_ptr<float>(), up, rows);
  const kernels::RowOperand b(down_proj.data_ptr<float>(), up, out);
  kernels::multiply<kTerms>(a, b, {y.data_ptr<float>(), rows, out}, up, x.options(), stream);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "LLaMA feed-forward block (two fused products, 3xTF32)");
}
