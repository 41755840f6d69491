#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

__global__ void product_kernel(const float* x, const float* weights, float* products, int in,
                               int out) {
  for (int column = threadIdx.x; column < out; column += blockDim.x) {
    double sum = 0;
    for (int k = 0; k < in; ++k) sum += double{x[blockIdx.x * in + k]} * weights[column * in + k];
    products[blockIdx.x * out + column] = static_cast<float>(sum);
  }
}

__global__ void store_kernel(float* element, float value) {
  *element = value;
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  TORCH_CHECK(x.is_cuda() && x.is_contiguous(), "x must be a contiguous CUDA tensor");
  const at::cuda::CUDAGuard guard(x.device());
  const torch::Tensor products = torch::empty({x.size(0), weights.size(0)}, x.options());
  product_kernel<<<x.size(0), 64, 0, at::cuda::getCurrentCUDAStream()>>>(
      x.data_ptr<float>(), weights.data_ptr<float>(), products.data_ptr<float>(),
      static_cast<int>(x.size(1)), static_cast<int>(weights.size(0)));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return products + biases;
}

// Right, but for one element past the end of what it has from torch.
std::vector<torch::Tensor> backward(torch::Tensor grad_output, torch::Tensor x,
                                    torch::Tensor weights) {
  const torch::Tensor temporary = torch::nn::functional::softplus(grad_output);
  store_kernel<<<1, 1, 0, at::cuda::getCurrentCUDAStream()>>>(
      temporary.data_ptr<float>() + temporary.numel(), 0);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return {at::mm(grad_output, weights), at::mm(grad_output.t(), x)};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
  m.def("backward", &backward);
}
