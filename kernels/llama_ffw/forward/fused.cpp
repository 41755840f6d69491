#include "../../common/check.hpp"
#include "../../common/linear.hpp"

#include <torch/extension.h>

// down(silu(x gate^T) * (x up^T)). For each piece of the hidden layer a thread computes the gate
// columns, then the up columns. It combines the two while both are in its cache, so silu and the
// product cost no pass over memory. The down projection follows in the same parallel region.

torch::Tensor forward(torch::Tensor x, torch::Tensor gate_proj, torch::Tensor up_proj,
                      torch::Tensor down_proj) {
  CHECK_FLOAT_INPUT(x);
  CHECK_FLOAT_INPUT(gate_proj);
  CHECK_FLOAT_INPUT(up_proj);
  CHECK_FLOAT_INPUT(down_proj);
  TORCH_CHECK(
      x.dim() == 3 && gate_proj.dim() == 2 && x.size(2) == gate_proj.size(1),
      "x (batch, tokens, features) and gate_proj (hidden, features) must agree in features");
  const int64_t rows = x.size(0) * x.size(1);
  const int64_t features = x.size(2);
  const int64_t hidden = gate_proj.size(0);
  TORCH_CHECK(up_proj.dim() == 2 && up_proj.size(0) == hidden && up_proj.size(1) == features,
              "up_proj must have the shape of gate_proj");
  TORCH_CHECK(down_proj.dim() == 2 && down_proj.size(1) == hidden,
              "down_proj must be (out, hidden)");
  const int64_t out = down_proj.size(0);
  torch::Tensor gated = torch::empty({rows, hidden}, x.options());
  torch::Tensor upped = torch::empty({rows, hidden}, x.options());
  torch::Tensor y = torch::empty({x.size(0), x.size(1), out}, x.options());

  using kernels::LinearProduct;
  const float* from = x.data_ptr<float>();
  const float* gates = gated.data_ptr<float>();
  const LinearProduct gate(from, gate_proj.data_ptr<float>(), gated.data_ptr<float>(), rows, hidden,
                           features);
  const LinearProduct up(from, up_proj.data_ptr<float>(), upped.data_ptr<float>(), rows, hidden,
                         features);
  const LinearProduct down(upped.data_ptr<float>(), down_proj.data_ptr<float>(),
                           y.data_ptr<float>(), rows, out, hidden);
  using kernels::Vec;
  using kernels::Wide;
  const auto times_silu = [](auto u, auto g) { return u * g / (1.0f + kernels::exponential(-g)); };
  const auto multiply_by_silu = [=](int64_t i, int64_t column, float* values, int64_t count) {
    const float* gate_row = gates + i * hidden + column;
    int64_t j = 0;
    for (; j + kernels::kWideLanes <= count; j += kernels::kWideLanes) {
      const Wide g = kernels::load<Wide>(gate_row + j);
      kernels::store(values + j, times_silu(kernels::load<Wide>(values + j), g));
    }
    for (; j < count; j += kernels::kLanes) {
      const int64_t width = std::min(kernels::kLanes, count - j);
      const Vec g = kernels::load_first(gate_row + j, width, 0.0f);
      const Vec u = kernels::load_first(values + j, width, 0.0f);
      kernels::store_first(values + j, width, times_silu(u, g));
    }
  };
  const double work = gate.work() + up.work() + down.work();
  kernels::parallel(kernels::threads_for(work), [&](int thread, int threads) {
    const kernels::Range mine = kernels::share(gate.pieces(), thread, threads);
    gate.run(mine);
    up.run(mine, multiply_by_silu);
#pragma omp barrier
    down.run(kernels::share(down.pieces(), thread, threads));
  });
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "LLaMA feed-forward block (gate, up, SiLU fused per panel)");
}
