#include <cublas_v2.h>
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

// Uses once each what a kernel for the GPU uses beyond one for the CPU. x is 1, 2, ... 6 in 2 x 3.

namespace py = pybind11;

template <typename scalar_t>
__global__ void relu_kernel(const scalar_t* __restrict__ x, scalar_t* __restrict__ y, int64_t n) {
  const int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  const scalar_t value = __ldg(&x[i]);
  y[i] = value > static_cast<scalar_t>(3) ? value : static_cast<scalar_t>(0);
}

// Element types chosen at run time, what is 3 or less set to 0; guards, checks and streams.
at::Tensor dispatched(const at::Tensor& x, c10::optional<at::Tensor> bias, double eps) {
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

std::tuple<at::Tensor, at::Tensor, at::Tensor> with_default(const at::Tensor& x) {
  return {dispatched(x, c10::nullopt, 0), dispatched(x.to(at::kHalf), c10::nullopt, 0),
          dispatched(x.to(at::kDouble), x.to(at::kDouble), 0.5)};
}

template <typename scalar_t>
__global__ void square_kernel(const scalar_t* x, scalar_t* y, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = x[i] * x[i];
}

std::vector<at::Tensor> dispatched_in_16_bits(const at::Tensor& x) {
  std::vector<at::Tensor> results;
  for (const auto dtype : {at::kFloat, at::kHalf, at::kBFloat16}) {
    const at::Tensor from = x.to(dtype);
    at::Tensor to = at::empty_like(from);
    AT_DISPATCH_FLOATING_TYPES_AND2(
        at::ScalarType::Half, at::ScalarType::BFloat16, from.scalar_type(), "square",
        [&] { square_kernel<<<1, 4>>>(from.data_ptr<scalar_t>(), to.data_ptr<scalar_t>(), 6); });
    results.push_back(to);
  }
  return results;
}

__global__ void half_kernel(const at::Half* x, __half* y, at::BFloat16* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const at::Half sum = x[i] + at::Half(1.0f) * x[i];
  y[i] = static_cast<__half>(sum);
  z[i] = static_cast<float>(sum) * 2.0f;
}

// The harness's 16-bit floats beside CUDA's own, out of a tuple of Python's.
std::vector<at::Tensor> halves(const at::Tensor& x, py::tuple saved) {
  const auto half = saved[0].cast<at::Tensor>().to(at::kHalf);
  auto bfloat = at::empty(half.sizes(), half.options().dtype(at::kBFloat16));
  auto out = at::empty_like(half);
  half_kernel<<<1, 32>>>(half.data_ptr<at::Half>(),
                         reinterpret_cast<__half*>(out.data_ptr<at::Half>()),
                         bfloat.data_ptr<at::BFloat16>(), static_cast<int>(x.numel()));
  return {out, bfloat};
}

__global__ void transpose_kernel(
    torch::PackedTensorAccessor32<float, 2, torch::RestrictPtrTraits> x,
    torch::PackedTensorAccessor64<float, 2> y) {
  const int i = threadIdx.x;
  if (i >= x.size(1)) return;
  for (int j = 0; j < x.size(0); ++j) y[i][j] = x[j][i];
}

at::Tensor transposed(const at::Tensor& x) {
  auto y = at::empty({x.size(1), x.size(0)}, x.options());
  transpose_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream(x.get_device())>>>(
      x.packed_accessor32<float, 2, torch::RestrictPtrTraits>(), y.packed_accessor64<float, 2>());
  return y;
}

// x^T x by cuBLAS, whose matrices are transposed to ours.
at::Tensor by_blas(const at::Tensor& x) {
  const int rows = static_cast<int>(x.size(0));
  const int columns = static_cast<int>(x.size(-1));
  auto y = at::empty({columns, columns}, x.options());
  const float* values = x.data_ptr<float>();
  const float one = 1;
  const float zero = 0;
  cublasHandle_t handle = at::cuda::getCurrentCUDABlasHandle();
  const cublasStatus_t status =
      cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, columns, columns, rows, &one, values, columns,
                  values, columns, &zero, y.data_ptr<float>(), columns);
  TORCH_CHECK(status == CUBLAS_STATUS_SUCCESS, "cublasSgemm: status ", static_cast<int>(status));
  return y;
}

// Another stream is current while its guard lives.
at::Tensor on_another_stream(const at::Tensor& x) {
  cudaStream_t made = nullptr;
  C10_CUDA_CHECK(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking));
  const at::cuda::CUDAStream stream(made, c10::cuda::current_device());
  at::Tensor y;
  {
    const c10::cuda::CUDAStreamGuard guard(stream);
    TORCH_CHECK(at::cuda::getCurrentCUDAStream().stream() == made, "the guard does nothing");
    y = dispatched(x, x, 1.0);
  }
  TORCH_CHECK(
      at::cuda::getCurrentCUDAStream().stream() == at::cuda::getDefaultCUDAStream().stream(),
      "the guard stays");
  stream.synchronize();
  return y;
}

std::vector<int64_t> facts(const at::Tensor& x) {
  c10::cuda::set_device(0);
  const cudaDeviceProp* properties = at::cuda::getCurrentDeviceProperties();
  int multiprocessors = 0;
  C10_CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  return {c10::cuda::current_device(), x.get_device(), x.device().is_cuda(),
          x.device() == torch::Device(torch::kCUDA, 0),
          properties->multiProcessorCount == multiprocessors};
}

at::Tensor of_the_cpu(const at::Tensor& x) {
  TORCH_CHECK(x.is_cpu(), "x", " must be a CPU tensor, not on ", x.device());
  return x;
}

at::Tensor of_no_pointer(const at::Tensor& x) {
  AT_CUDA_CHECK(cudaMemset(nullptr, 0, 1));
  return x;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("dispatched", &dispatched, "relu", py::arg("x"), py::arg("bias") = c10::nullopt,
        py::arg("eps") = 1e-5);
  m.def("with_default", &with_default);
  m.def("dispatched_in_16_bits", &dispatched_in_16_bits);
  m.def("halves", &halves);
  m.def("transposed", &transposed);
  m.def("by_blas", &by_blas);
  m.def("on_another_stream", &on_another_stream);
  m.def("facts", &facts);
  m.def("of_the_cpu", &of_the_cpu);
  m.def("of_no_pointer", &of_no_pointer);
}
