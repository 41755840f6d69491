#include "../../common/cuda/check.cuh"
#include "../../common/cuda/pool_window.cuh"

// Gradient of max pooling with 2 x 2 windows. The greatest element of a window, the first one of
// equals or the last NaN, gets its gradient, and all others get zero. The kernel is bound by
// memory. A thread takes two neighbouring windows and writes all of their eight elements. So no
// pass clears dx, and every access is 8 or 16 bytes wide. Sizes that do not allow it take a window
// per thread, counting the cut ones at the edges.

namespace {

constexpr int kThreads = 256;

// 32-bit: divisions of 64-bit indices would cost more than the memory accesses.
struct Shape {
  uint32_t planes;
  uint32_t height;
  uint32_t width;
};

struct Window {
  float2 upper;
  float2 lower;
};

__device__ Window route(const Window& x, float grad) {
  int winner = 0;
  float greatest = x.upper.x;
  if (kernels::beats(x.upper.y, greatest)) greatest = x.upper.y, winner = 1;
  if (kernels::beats(x.lower.x, greatest)) greatest = x.lower.x, winner = 2;
  if (kernels::beats(x.lower.y, greatest)) winner = 3;
  return {make_float2(winner == 0 ? grad : 0.0f, winner == 1 ? grad : 0.0f),
          make_float2(winner == 2 ? grad : 0.0f, winner == 3 ? grad : 0.0f)};
}

// Heights are even and widths multiples of 4, so rows of windows are consecutive across planes.
__global__ void __launch_bounds__(kThreads)
    pair_kernel(const float* __restrict__ x, const float* __restrict__ g, uint32_t pairs,
                uint32_t width, float* __restrict__ dx) {
  const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= pairs) return;
  const uint32_t row = i / (width / 4);
  const uint32_t at = 4 * i + row * width;  // = 2 row width + 4 (i % (width / 4))
  const float4 upper = *reinterpret_cast<const float4*>(x + at);
  const float4 lower = *reinterpret_cast<const float4*>(x + at + width);
  const float2 grad = reinterpret_cast<const float2*>(g)[i];
  const Window left = route({make_float2(upper.x, upper.y), make_float2(lower.x, lower.y)}, grad.x);
  const Window right =
      route({make_float2(upper.z, upper.w), make_float2(lower.z, lower.w)}, grad.y);
  *reinterpret_cast<float4*>(dx + at) =
      make_float4(left.upper.x, left.upper.y, right.upper.x, right.upper.y);
  *reinterpret_cast<float4*>(dx + at + width) =
      make_float4(left.lower.x, left.lower.y, right.lower.x, right.lower.y);
}

__global__ void __launch_bounds__(kThreads)
    window_kernel(const float* __restrict__ x, const float* __restrict__ g, Shape shape,
                  float* __restrict__ dx) {
  const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  const uint32_t columns = kernels::ceil_div(shape.width, 2u);
  const uint32_t rows = kernels::ceil_div(shape.height, 2u);
  const uint32_t plane = i / columns / rows;
  if (plane >= shape.planes) return;
  const uint32_t row = i / columns % rows;
  const uint32_t column = i % columns;
  const uint32_t at = (plane * shape.height + 2 * row) * shape.width + 2 * column;
  const bool has_right = 2 * column + 1 < shape.width;
  const bool has_lower = 2 * row + 1 < shape.height;
  Window to = {};
  if (has_right && has_lower) {
    const float grad = g[(plane * (shape.height / 2) + row) * (shape.width / 2) + column];
    to = route(
        {make_float2(x[at], x[at + 1]), make_float2(x[at + shape.width], x[at + shape.width + 1])},
        grad);
  }
  dx[at] = to.upper.x;
  if (has_right) dx[at + 1] = to.upper.y;
  if (has_lower) dx[at + shape.width] = to.lower.x;
  if (has_right && has_lower) dx[at + shape.width + 1] = to.lower.y;
}

}  // namespace

torch::Tensor backward(py::tuple saved, torch::Tensor grad_output) {
  TORCH_CHECK(saved.size() == 1, "the saved tensors must be (x,)");
  const torch::Tensor x = saved[0].cast<torch::Tensor>();
  CHECK_CUDA_FLOAT(x);
  CHECK_CUDA_FLOAT(grad_output);
  TORCH_CHECK(x.dim() == 4 && grad_output.dim() == 4, "x and grad_output must have 4 dimensions");
  TORCH_CHECK(x.numel() < INT32_MAX, "x must have fewer than 2^31 elements, not ", x.numel());
  const Shape shape{static_cast<uint32_t>(x.size(0) * x.size(1)), static_cast<uint32_t>(x.size(2)),
                    static_cast<uint32_t>(x.size(3))};
  TORCH_CHECK(grad_output.size(0) == x.size(0) && grad_output.size(1) == x.size(1) &&
                  grad_output.size(2) == shape.height / 2 && grad_output.size(3) == shape.width / 2,
              "grad_output must have the shape of the pooled x");

  const c10::cuda::CUDAGuard guard(x.device());
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  torch::Tensor dx = torch::empty_like(x);
  if (dx.numel() == 0) return dx;
  const float* from = x.data_ptr<float>();
  const float* g = grad_output.data_ptr<float>();
  if (shape.height % 2 == 0 && kernels::allows_float4(from, shape.width) &&
      kernels::allows_float4(g, 0)) {
    const uint32_t pairs = grad_output.numel() / 2;
    pair_kernel<<<kernels::ceil_div<uint32_t>(pairs, kThreads), kThreads, 0, stream>>>(
        from, g, pairs, shape.width, dx.data_ptr<float>());
  } else {
    const uint32_t windows =
        shape.planes * kernels::ceil_div(shape.height, 2u) * kernels::ceil_div(shape.width, 2u);
    window_kernel<<<kernels::ceil_div<uint32_t>(windows, kThreads), kThreads, 0, stream>>>(
        from, g, shape, dx.data_ptr<float>());
  }
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return dx;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward, "Gradient of 2 x 2 max pooling (two windows per thread)");
}
