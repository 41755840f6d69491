#include <vector>

#include "../../common/cuda/gemm.cuh"

// y = x w^T + b over the last dimension, with all others as rows. It is one product on the tensor
// cores, and each product of floats is made of three TF32 parts. The bias is added on the way out.

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  CHECK_CUDA_FLOAT(x);
  CHECK_CUDA_FLOAT(weights);
  CHECK_CUDA_FLOAT(biases);
  TORCH_CHECK(x.dim() >= 1 && weights.dim() == 2 && x.size(-1) == weights.size(1),
              "x (..., in) and weights (out, in) must agree in `in`");
  TORCH_CHECK(biases.dim() == 1 && biases.size(0) == weights.size(0),
              "biases must have one element per row of weights");
  const int in = weights.size(1);
  const int rows = x.numel() / in;
  const int out = weights.size(0);

  const c10::cuda::CUDAGuard guard(x.device());
  std::vector<int64_t> sizes = x.sizes().vec();
  sizes.back() = out;
  torch::Tensor y = torch::empty(sizes, x.options());
  kernels::multiply(kernels::RowOperand(x.data_ptr<float>(), in, rows),
                    kernels::RowOperand(weights.data_ptr<float>(), in, out),
                    {y.data_ptr<float>(), rows, out, biases.data_ptr<float>()}, in, x.options(),
                    at::cuda::getCurrentCUDAStream());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "Linear layer over the last dimension (3xTF32)");
}
