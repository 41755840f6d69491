#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/Exceptions.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAMathCompat.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/extension.h>

// What a kernel for the GPU uses beyond one for the CPU.

namespace py = pybind11;

template <typename scalar_t>
__global__ void relu_kernel(const scalar_t* __restrict__ x, scalar_t* __restrict__ y, int64_t n) {
  const int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  const scalar_t value = __ldg(&x[i]);
  y[i] = value > static_cast<scalar_t>(0) ? value : static_cast<scalar_t>(0);
}

__global__ void half_kernel(const at::Half* x, __half* y, at::BFloat16* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const at::Half sum = x[i] + at::Half(1.0f) * x[i];
  y[i] = static_cast<__half>(sum);
  z[i] = static_cast<float>(sum) * 2.0f;
}

__global__ void transpose_kernel(
    torch::PackedTensorAccessor32<float, 2, torch::RestrictPtrTraits> x,
    torch::PackedTensorAccessor64<float, 2> y) {
  const int i = threadIdx.x;
  if (i < x.size(1)) y[i][0] = x[0][i];
}

at::Tensor forward(const at::Tensor& x, c10::optional<at::Tensor> bias, double eps) {
  TORCH_CHECK(x.is_cuda(), "x must be a CUDA tensor");
  const at::cuda::CUDAGuard guard(x.device());
  const c10::cuda::OptionalCUDAGuard optional_guard(x.device());
  auto y = torch::empty_like(x);
  const int threads = 256;
  const int blocks = static_cast<int>((x.numel() + threads - 1) / threads);
  cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "relu", ([&] {
                                        relu_kernel<scalar_t><<<blocks, threads, 0, stream>>>(
                                            x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(),
                                            x.numel());
                                      }));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  AT_CUDA_CHECK(cudaGetLastError());
  C10_CUDA_CHECK(cudaStreamSynchronize(c10::cuda::getCurrentCUDAStream().stream()));
  return bias.has_value() ? y + *bias * eps : y;
}

std::vector<at::Tensor> backward(at::Tensor x, py::tuple saved) {
  auto half = saved[0].cast<at::Tensor>();
  auto bfloat = at::empty(half.sizes(), half.options().dtype(at::kBFloat16));
  auto out = at::empty_like(half);
  half_kernel<<<1, 32>>>(half.data_ptr<at::Half>(),
                         reinterpret_cast<__half*>(out.data_ptr<at::Half>()),
                         bfloat.data_ptr<at::BFloat16>(), 32);
  auto y = at::empty({x.size(1), 1}, x.options());
  transpose_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream(x.get_device())>>>(
      x.packed_accessor32<float, 2, torch::RestrictPtrTraits>(), y.packed_accessor64<float, 2>());
  cublasHandle_t handle = at::cuda::getCurrentCUDABlasHandle();
  TORCH_CHECK(handle != nullptr, at::cuda::getCurrentDeviceProperties()->multiProcessorCount,
              " multiprocessors on device ", c10::cuda::current_device());
  return {out, bfloat, y};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "relu", py::arg("x"), py::arg("bias") = c10::nullopt,
        py::arg("eps") = 1e-5);
  m.def("backward", &backward);
}
