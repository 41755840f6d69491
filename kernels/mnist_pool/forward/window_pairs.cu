#include "../../common/cuda/check.cuh"
#include "../../common/cuda/pool_window.cuh"

// Max pooling with 2 x 2 windows. Each element is read once and only once, so the kernel is bound
// by memory and can gain only from wide accesses. A thread takes two neighbouring windows. It loads
// 16 bytes of each of two rows and stores 8. Widths that do not allow it take a window per thread.

namespace {

constexpr int kThreads = 256;

// 32-bit: divisions of 64-bit indices would cost more than the memory accesses.
struct Shape {
  uint32_t planes;
  uint32_t height;
  uint32_t width;
};

__device__ float greatest(float a, float b, float c, float d) {
  return kernels::greater(kernels::greater(a, b), kernels::greater(c, d));
}

__global__ void __launch_bounds__(kThreads)
    pair_kernel(const float* __restrict__ x, Shape shape, float* __restrict__ y) {
  const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  const uint32_t pairs = shape.width / 4;
  const uint32_t rows = shape.height / 2;
  const uint32_t row = i / pairs;
  if (row >= shape.planes * rows) return;
  const uint32_t plane = row / rows;
  const float* from = x + (plane * shape.height + row % rows * 2) * shape.width + i % pairs * 4;
  const float4 upper = *reinterpret_cast<const float4*>(from);
  const float4 lower = *reinterpret_cast<const float4*>(from + shape.width);
  reinterpret_cast<float2*>(y)[i] = make_float2(greatest(upper.x, upper.y, lower.x, lower.y),
                                                greatest(upper.z, upper.w, lower.z, lower.w));
}

__global__ void __launch_bounds__(kThreads)
    window_kernel(const float* __restrict__ x, Shape shape, float* __restrict__ y) {
  const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  const uint32_t columns = shape.width / 2;
  const uint32_t rows = shape.height / 2;
  const uint32_t row = i / columns;
  if (row >= shape.planes * rows) return;
  const float* from =
      x + (row / rows * shape.height + row % rows * 2) * shape.width + i % columns * 2;
  y[i] = greatest(from[0], from[1], from[shape.width], from[shape.width + 1]);
}

}  // namespace

torch::Tensor forward(torch::Tensor x) {
  CHECK_CUDA_FLOAT(x);
  TORCH_CHECK(x.dim() == 4, "x must be (batch, channels, height, width)");
  TORCH_CHECK(x.numel() < INT32_MAX, "x must have fewer than 2^31 elements, not ", x.numel());
  const Shape shape{static_cast<uint32_t>(x.size(0) * x.size(1)), static_cast<uint32_t>(x.size(2)),
                    static_cast<uint32_t>(x.size(3))};
  TORCH_CHECK(shape.height >= 2 && shape.width >= 2, "x must hold at least one 2 x 2 window");

  const c10::cuda::CUDAGuard guard(x.device());
  torch::Tensor y = torch::empty({x.size(0), x.size(1), x.size(2) / 2, x.size(3) / 2}, x.options());
  if (y.numel() == 0) return y;
  const bool pairs = kernels::allows_float4(x.data_ptr<float>(), shape.width);
  const uint32_t threads = y.numel() / (pairs ? 2 : 1);
  const auto kernel = pairs ? pair_kernel : window_kernel;
  kernel<<<kernels::ceil_div<uint32_t>(threads, kThreads), kThreads, 0,
           at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), shape, y.data_ptr<float>());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "2 x 2 max pooling (two windows per thread)");
}
