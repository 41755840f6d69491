#include "../results.hpp"

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>

template <typename scalar_t>
__global__ void product_kernel(
    torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> x,
    torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> weights,
    torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> products) {
  const int row = blockIdx.x;
  for (int column = threadIdx.x; column < weights.size(0); column += blockDim.x) {
    scalar_t sum = 0;
    for (int k = 0; k < x.size(1); ++k) sum += x[row][k] * weights[column][k];
    products[row][column] = sum;
  }
}

torch::Tensor products_of(const torch::Tensor& x, const torch::Tensor& weights) {
  torch::Tensor products = torch::empty({x.size(0), weights.size(0)}, x.options());
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "products_of", [&] {
    product_kernel<scalar_t><<<x.size(0), 64, 0, at::cuda::getCurrentCUDAStream()>>>(
        x.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(),
        weights.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(),
        products.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>());
  });
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return products;
}

std::vector<torch::Tensor> forward(torch::Tensor x, torch::Tensor weights,
                                   const c10::optional<torch::Tensor>& biases, double scale) {
  TORCH_CHECK(biases.has_value() && x.is_cuda(), "x and biases must be CUDA tensors");
  const at::cuda::CUDAGuard guard(x.device());
  return results_of(x, weights, *biases, products_of(x, weights), scale);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, py::arg("x"), py::arg("weights"), py::arg("biases") = c10::nullopt,
        py::arg("scale") = 1.5);
}
